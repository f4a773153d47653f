import { refuse } from '@steward/errors';
import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { InteractiveSession } from '../model/interactive-session.ts';
import { limitOfId } from '../model/limited-ids.ts';
import { limitOfCredential } from '../sessions/limit-of-caller.ts';
import type { StageFailure } from './authenticate-stage.ts';

/** How long a sign-in authenticates an operation, in milliseconds: the app repeats the request at once. */
const PROVIDED_LIFE_MS = 10 * 60_000;

/**
 * The external ids, by their key, whose user proves with a sign-in that they are the user of the account. One that a caller with fewer
 * rights has set proves it only for the sessions that begin with it, which have no more rights than that caller.
 */
export async function provedKeysOf(
  deps: Deps,
  account: Account,
  caller: Requester,
): Promise<readonly string[]> {
  const linked = account.external_ids.filter(({ auth_provider }) =>
    deps.identityProviders.get(auth_provider),
  );
  if (linked.every(({ key }) => limitOfId(account, key) === null)) return linked.map(({ key }) => key);
  const own = JSON.stringify(await limitOfCredential(deps, caller));
  const counts = (key: string) => {
    const limit = limitOfId(account, key);
    return limit === null || JSON.stringify(limit) === own;
  };
  return linked.flatMap(({ key }) => (counts(key) ? [key] : []));
}

/** Checks that the user has signed in with their identity provider for this session. */
export async function passSignIn(
  deps: Deps,
  session: InteractiveSession | undefined,
  keys: readonly string[],
): Promise<StageFailure | undefined> {
  const { provided } = session ?? {};
  const isRecent = provided !== undefined && deps.clock.now() - provided.at_ts < PROVIDED_LIFE_MS;
  if (isRecent && keys.includes(provided.key)) return undefined;
  return { errcode: 'M_UNAUTHORIZED', message: 'Sign in with your identity provider first' };
}

/**
 * Ends a session whose operation was authenticated by a sign-in, which counts once.
 *
 * @throws refuse.unknown when another request was authenticated by it
 */
export async function spendSignIn(
  { interactiveSessions }: Pick<Deps, 'interactiveSessions'>,
  { _id }: InteractiveSession,
): Promise<void> {
  const { deletedCount } = await interactiveSessions.deleteOne({ _id });
  if (deletedCount === 0) throw refuse.unknown('Unknown session');
}
