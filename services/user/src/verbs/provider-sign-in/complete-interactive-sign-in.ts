import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';
import { externalIdKey } from '../../core/model/external-id.ts';
import { type Brought, type Returned, readUser } from './finish-sign-in.ts';
import { answerPage, type Piece } from './pages.ts';

/** Tells the app that opened the page that it can go on (the fallback of user-interactive authentication). */
const TELL_APP =
  "if(window.onAuthDone)window.onAuthDone();else if(window.opener)window.opener.postMessage('authDone','*');";

/**
 * Records that the user of a session of user-interactive authentication has just signed in with their identity provider. It begins no
 * session, and neither creates nor changes an account.
 *
 * @throws refuse.forbidden for another user than that of the session, refuse.unknown when it has ended, and as `readUser`
 */
export async function completeInteractiveSignIn(
  deps: Deps,
  brought: Brought,
  returned: Returned,
  session: string,
  context: HandlerContext,
): Promise<Iterable<Piece>> {
  const { subject } = await readUser(deps, brought, returned, context);
  const key = externalIdKey(returned.provider.settings.id, subject);
  const holder = await deps.accounts.findOne({ 'external_ids.key': key }, { projection: { _id: 1 } });
  const found = await deps.interactiveSessions.findOne({ _id: session });
  if (!holder || holder._id !== found?.user_id) {
    deps.counts.add('failed_sign_ins');
    throw refuse.forbidden('You signed in as another user than the one of the app');
  }
  const now = deps.clock.now();
  const { matchedCount } = await deps.interactiveSessions.updateOne(
    { _id: session, expires_ts: { $gt: now } },
    { $set: { provided: { key, at_ts: now } } },
  );
  if (matchedCount === 0) throw refuse.unknown('The app took too long: begin again there');
  return answerPage({
    status: 200,
    title: 'Confirmed',
    texts: ['Close this page, and go back to the app.'],
    script: TELL_APP,
  });
}
