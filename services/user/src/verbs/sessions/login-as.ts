import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { LoginAsRequest } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { requireLocalSuffix } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { isAlive, newToken, type Token, tokenDigest } from '../../core/model/token.ts';

/**
 * Gives an administrator a token that acts as somebody else (behaviour.md 2.12). It is of the
 * administrator's sessions, and ends with them, also where the administrator acts as another meanwhile.
 *
 * @throws refuse.unknownToken when the administrator's session was ended while it was made
 */
export async function loginAs(deps: Deps, request: LoginAsRequest, context: HandlerContext) {
  requireLocalSuffix(deps, request.userId);
  raiseDeferred(context);
  const caller = requester(context);
  if (request.userId === caller.userId || request.userId === caller.owner) {
    throw refuse.unknown('You cannot log in as yourself');
  }
  const user = await accountAggregate.load(deps, request.userId);
  if (!user) throw refuse.notFound('User not found');

  const owner = await accountAggregate.load(deps, caller.owner);
  if (!owner) throw refuse.unknownToken('Unknown access token');
  const accessToken = newToken(deps.random);
  const token: Token = {
    _id: tokenDigest(accessToken),
    user_id: request.userId,
    owner: owner._id,
    device_id: null,
    epoch: owner.sessions.epoch,
    user_epoch: user.sessions.epoch,
    created_ts: deps.clock.now(),
    valid_until_ms: request.validUntilMs === undefined ? null : Number(request.validUntilMs),
  };
  await deps.tokens.insertOne(token);
  // Whoever ended the caller's session meanwhile did not see the new token, or took it for a later one.
  if (!(await isGood(deps, token._id)) || !(await isGood(deps, caller.tokenId))) {
    await deps.tokens.deleteOne({ _id: token._id });
    throw refuse.unknownToken('The session was ended meanwhile');
  }
  return { accessToken };
}

async function isGood(deps: Deps, tokenId: string): Promise<boolean> {
  const token = await deps.tokens.findOne({ _id: tokenId });
  if (!token) return false;
  const owner = await deps.accounts.findOne({ _id: token.owner });
  return owner !== null && isAlive(token, owner);
}
