import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { StartInteractiveSignInRequest } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import type { Deps } from '../../core/deps.ts';
import {
  browserCookie,
  browserSecret,
  confirmationOf,
  newBrowserSecret,
} from '../../core/identity-providers/browser.ts';
import type { IdentityProvider } from '../../core/identity-providers/identity-provider.ts';
import type { InteractiveSession } from '../../core/model/interactive-session.ts';
import { beginSignIn } from './begin-sign-in.ts';
import { orPage } from './or-page.ts';
import { answerPage, type Piece } from './pages.ts';
import { interactivePath } from './start-path.ts';

/**
 * Asks the user of an app, in a browser, whether they want what the app asks for, and sends them to their identity provider to prove who
 * they are (client-plane.md 2.4). The question comes first, because a thief with a token of the user can make the address of this page.
 */
export function startInteractiveSignIn(
  deps: Deps,
  request: StartInteractiveSignInRequest,
  context: HandlerContext,
): AsyncGenerator<Piece> {
  return orPage(() => start(deps, request, context));
}

async function start(
  deps: Deps,
  { session: id, idp, confirmed, cookie }: StartInteractiveSignInRequest,
  context: HandlerContext,
): Promise<Generator<Piece>> {
  if (id === '') throw refuse.missingParam("'session' is missing: the app does not say what it asks for");
  const session = await deps.interactiveSessions.findOne({ _id: id });
  if (!session || session.expires_ts <= deps.clock.now())
    throw refuse.unknown('The app asks for nothing any more: begin again there');
  const providers = await providersOf(deps, session);
  if (providers.length === 0)
    throw refuse.forbidden('You do not sign in with an identity provider of this server');
  const { publicBaseUrl } = deps.settings;
  const present = browserSecret(cookie, publicBaseUrl);
  if (present !== undefined && confirmed === confirmationOf(present, id))
    return beginSignIn(deps, { idp, cookie }, context, { interactive_session: id, step_up: true });
  const browser = present ?? newBrowserSecret(deps.random);
  return answerPage({
    status: 200,
    title: 'Do you want this?',
    texts: [
      `An app of ${session.user_id} on ${deps.serverName} asks for permission to ${shownOperation(session)}.`,
      'Sign in again to permit it. Close this page if you have not just asked for it in the app: another person may have access to your account.',
    ],
    links: providers.map(({ settings: { id: provider, name } }) => ({
      label: `Sign in with ${name}`,
      href: interactivePath({ session: id, idp: provider, confirmed: confirmationOf(browser, id) }),
    })),
    cookie: browserCookie(browser, publicBaseUrl),
  });
}

/** The providers with which the user of a session signs in. */
async function providersOf(
  deps: Deps,
  { user_id: userId }: InteractiveSession,
): Promise<readonly IdentityProvider[]> {
  const account = userId === null ? undefined : await accountAggregate.load(deps, userId);
  const linked = new Set(account?.external_ids.map(({ auth_provider }) => auth_provider));
  return deps.identityProviders.all.filter(({ settings }) => linked.has(settings.id));
}

const DELETE_DEVICE = 'DELETE devices/';

/** What an app asks for, in words that a user reads. */
function shownOperation({ operation }: InteractiveSession): string {
  if (operation.startsWith(DELETE_DEVICE))
    return `remove the device ${operation.slice(DELETE_DEVICE.length)} from the account`;
  switch (operation) {
    case 'POST delete_devices':
      return 'remove devices from the account';
    case 'POST account/password':
      return 'set the password of the account';
    case 'POST account/deactivate':
      return 'deactivate the account, which cannot be undone by its user';
    case 'POST keys/device_signing/upload':
      return 'replace the keys with which the account is recognized by others';
    default:
      return `do this: ${operation}`;
  }
}
