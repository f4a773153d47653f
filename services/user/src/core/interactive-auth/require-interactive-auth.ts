import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { InteractiveAuth } from '@steward/proto/steward/user/v1/interactive_pb.ts';
import { requester } from '@steward/rpc';
import { accountAggregate } from '../accounts/account-aggregate.ts';
import type { Deps } from '../deps.ts';
import { authenticateStage } from './authenticate-stage.ts';
import { resumeInteractiveSession } from './interactive-session.ts';
import { PASSWORD_STAGE, passPassword } from './pass-password.ts';
import { isRecentlyProved, recordProof } from './recent-proof.ts';

/** An operation of a logged-in user that needs more than their token. */
export interface InteractiveOperation<Body> {
  /**
   * Method and path below the version, such as `POST account/password`, with the values in the path: a
   * session is good for no other.
   */
  readonly operation: string;
  /** The request's `auth`. */
  readonly auth: InteractiveAuth | undefined;
  /** The keys that the request's body has (a field of `present_keys`); absent means none but `auth`. */
  readonly present?: readonly string[] | undefined;
  /**
   * What the operation needs of this request's body. It is stored as JSON when the client has to come
   * back, so 64-bit integers and passwords in clear do not belong in it. Asked for at most once.
   */
  readonly body: () => Body | Promise<Body>;
  /** Whether a success of a moment ago suffices, where the server permits that. Off for dangerous ones. */
  readonly recentSuffices?: boolean;
}

/**
 * Returns once the caller has proved, by the password of their own account, that it is really them
 * (client-plane.md 2.4), with what the operation is to run with: what `body` gives for this request, or
 * gave for the first one of the session when this one holds nothing but `auth`. Check what does not
 * depend on `auth` before, and the account's state afterwards.
 *
 * @throws the 401 without errcode that asks for the password, with one when it was wrong (an account
 * without a password is offered no flow); refuse.unknown for an unknown session; refuse.forbidden for
 * the session or the name of another user, or a session opened for another operation
 */
export async function requireInteractiveAuth<Body>(
  deps: Deps,
  context: HandlerContext,
  { operation, auth, present = [], body, recentSuffices = false }: InteractiveOperation<Body>,
): Promise<Body> {
  const caller = requester(context);
  if (recentSuffices && !auth && (await isRecentlyProved(deps, caller))) return body();
  const scope = { operation, userId: caller.userId };
  const session =
    auth?.session === undefined ? undefined : await resumeInteractiveSession(deps, scope, auth.session);
  const account = await accountAggregate.load(deps, caller.userId);
  if (!account) throw refuse.unknownToken('Unknown access token');
  const hasPassword = deps.settings.passwordLogin && account.password_hash !== null;
  const authenticated = await authenticateStage<Body>(deps, {
    ...scope,
    flows: hasPassword ? [{ stages: [PASSWORD_STAGE] }] : [],
    auth,
    session,
    firstCounts: present.every((key) => key === 'auth'),
    body,
    pass: (_, proof) => passPassword(deps, account, proof),
  });
  await recordProof(deps, caller);
  return authenticated;
}
