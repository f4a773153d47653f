import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { LoginAsRequest } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { hasAccount, type Requester, raiseDeferred, requester } from '@steward/rpc';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { requireLocalSuffix } from '../../core/accounts/local-user.ts';
import { mayActAs } from '../../core/accounts/may-act-as.ts';
import { isSessionAlive } from '../../core/admin-sessions/live-session.ts';
import type { Deps } from '../../core/deps.ts';
import {
  actsAsOther,
  earlier,
  expiryOf,
  isAlive,
  newToken,
  type Token,
  tokenDigest,
} from '../../core/model/token.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';
import { limitOfCredential } from '../../core/sessions/limit-of-caller.ts';

/**
 * Issues a token with which an administrator acts as another user (behaviour.md 2.12). The token belongs to the
 * administrator's sessions and ends with them, even when the calling token itself acts as another user; it then also
 * ends with the calling token's lifetime. It ends for good when its owner ceases to be active, or its roles change.
 *
 * @throws refuse.forbidden when the caller has no account, the administrator is suspended or awaits approval, the user has a
 * scope which the administrator does not have, or acts for the server
 * @throws refuse.unknownToken when the administrator's session ends during the request
 */
export async function loginAs(deps: Deps, request: LoginAsRequest, context: HandlerContext) {
  requireLocalSuffix(deps, request.userId);
  raiseDeferred(context);
  const caller = requester(context);
  if (!hasAccount(caller)) throw refuse.forbidden('Only an account can act as another user');
  if (request.userId === caller.userId || request.userId === caller.owner) {
    throw refuse.unknown('You cannot log in as yourself');
  }
  const user = await accountAggregate.load(deps, request.userId);
  if (!user) throw refuse.notFound('User not found');
  if (user.acts_for_server)
    throw refuse.forbidden('This account acts for the server: no user can log in to it');

  const owner = await accountAggregate.load(deps, caller.owner);
  if (!owner) throw refuse.unknownToken('Unknown access token');
  await requireAuthority(deps, caller, user);
  const rightsLimit = await limitOfCredential(deps, caller);
  if (!(await mayActAs(deps, owner, user, rightsLimit))) {
    throw refuse.forbidden('Only an active administrator can act as another user');
  }
  const callers = await deps.tokens.findOne({ _id: caller.tokenId });
  const requestedExpiry = request.validUntilMs === undefined ? null : Number(request.validUntilMs);
  const limit =
    callers && actsAsOther(callers) ? expiryOf(callers, deps.settings.loginAsMaxLifetimeMs) : null;
  const accessToken = newToken(deps.random);
  const token: Token = {
    _id: tokenDigest(accessToken),
    user_id: request.userId,
    owner: owner._id,
    device_id: null,
    epoch: owner.sessions.epoch,
    user_epoch: user.sessions.epoch,
    ...(rightsLimit ? { rights_limit: rightsLimit } : {}),
    ...(owner.admin_term === undefined ? {} : { admin_term: owner.admin_term }),
    created_ts: deps.clock.now(),
    valid_until_ms: earlier(requestedExpiry, limit),
  };
  await deps.tokens.insertOne(token);
  // A concurrent end of the caller's session may have missed the new token, or taken it for a later one.
  if (!(await isTokenAlive(deps, token._id)) || !(await isCallerAlive(deps, caller))) {
    await deps.tokens.deleteOne({ _id: token._id });
    throw refuse.unknownToken('The session ended during the request: log in again');
  }
  return { accessToken };
}

async function isCallerAlive(deps: Deps, { kind, owner, tokenId }: Requester): Promise<boolean> {
  if (kind !== 'session') return isTokenAlive(deps, tokenId);
  const session = await deps.adminSessions.findOne({ _id: tokenId });
  const account = await deps.accounts.findOne({ _id: owner });
  return session !== null && account !== null && isSessionAlive(deps, session, account);
}

async function isTokenAlive(deps: Deps, tokenId: string): Promise<boolean> {
  const token = await deps.tokens.findOne({ _id: tokenId });
  if (!token) return false;
  const owner = await deps.accounts.findOne({ _id: token.owner });
  return owner !== null && isAlive(token, owner);
}
