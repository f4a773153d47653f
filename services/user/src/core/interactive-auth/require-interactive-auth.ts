import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { InteractiveAuth } from '@steward/proto/steward/user/v1/interactive_pb.ts';
import { clientAddress, requester } from '@steward/rpc';
import { accountAggregate } from '../accounts/account-aggregate.ts';
import type { Deps } from '../deps.ts';
import { PASSWORD_STAGE, SSO_STAGE } from '../model/proof-stages.ts';
import { hasPassword } from '../second-factor/proof-stages.ts';
import { authenticateStage } from './authenticate-stage.ts';
import { resumeInteractiveSession } from './interactive-session.ts';
import { passPassword } from './pass-password.ts';
import { passSignIn, provedKeysOf, spendSignIn } from './pass-sign-in.ts';
import { isRecentlyProved, recordProof } from './recent-proof.ts';

/** An operation of a logged-in user that requires more than their token. */
export interface InteractiveOperation<Body> {
  /**
   * Method and path below the version, such as `POST account/password`, with the values in the path. A session
   * authenticates one operation only.
   */
  readonly operation: string;
  /** The request's `auth`. */
  readonly auth: InteractiveAuth | undefined;
  /** The keys that the request's body has (a field of `present_keys`); absent means none but `auth`. */
  readonly presentKeys?: readonly string[] | undefined;
  /**
   * The part of this request's body that the operation needs. It is stored as JSON for the client's next request,
   * so it must hold no 64-bit integers and no plain passwords. Called at most once, after the password was right or the
   * limit on new sessions has admitted the request.
   */
  readonly body: () => Body | Promise<Body>;
  /** Whether a recent success suffices, if the server permits that. Must be off for dangerous operations. */
  readonly recentSuffices?: boolean;
}

/**
 * Requires that the caller authenticates as the user of their own account, with its password or with a new sign-in with an identity
 * provider (client-plane.md 2.4). Returns
 * what the operation runs with: the result of `body` for this request, or for the first one of the session when
 * this one holds only `auth`. Call it after the checks that do not depend on `auth`, and before those of the
 * account's state.
 *
 * @throws the 401 that requires a proof, without errcode unless it was wrong (an account without a password and without an identity
 * provider gets no flow); limitExceeded; refuse.unknown for an unknown session; refuse.forbidden for the session or the name of
 * another user, or a session opened for another operation
 */
export async function requireInteractiveAuth<Body>(
  deps: Deps,
  context: HandlerContext,
  { operation, auth, presentKeys = [], body, recentSuffices = false }: InteractiveOperation<Body>,
): Promise<Body> {
  const caller = requester(context);
  if (recentSuffices && !auth && (await isRecentlyProved(deps, caller))) return body();
  const scope = { operation, userId: caller.userId, openedBy: caller.userId };
  const session =
    auth?.session === undefined ? undefined : await resumeInteractiveSession(deps, scope, auth.session);
  const account = await accountAggregate.load(deps, caller.userId);
  if (!account) throw refuse.unknownToken('Unknown access token');
  const keys = await provedKeysOf(deps, account, caller);
  const stages = [
    ...(hasPassword(deps, account) ? [PASSWORD_STAGE] : []),
    ...(keys.length > 0 ? [SSO_STAGE] : []),
  ];
  // Apps that have shown the page of the stage name the session only.
  const isProvided =
    auth?.type === SSO_STAGE || (auth?.type === undefined && session?.provided !== undefined);
  const authenticated = await authenticateStage<Body>(deps, {
    ...scope,
    flows: stages.map((stage) => ({ stages: [stage] })),
    auth: auth && isProvided ? { ...auth, type: SSO_STAGE } : auth,
    session,
    firstCounts: presentKeys.every((key) => key === 'auth'),
    body,
    bodyToStore: () => {
      deps.limits.challenge.take(caller);
      return body();
    },
    pass: async (stage, proof) =>
      stage === SSO_STAGE
        ? passSignIn(deps, session, keys)
        : passPassword(deps, account, proof, clientAddress(context)),
  });
  if (session && isProvided) await spendSignIn(deps, session);
  await recordProof(deps, caller);
  return authenticated;
}
