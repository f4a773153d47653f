import type { HandlerContext } from '@connectrpc/connect';
import type { CreateOpenIdTokenRequest } from '@steward/proto/steward/user/v1/openid_pb.ts';
import { requester } from '@steward/rpc';
import { ownAccount } from '../../core/accounts/own-account.ts';
import type { Deps } from '../../core/deps.ts';
import { OPENID_TOKEN_LIFE_S } from '../../core/model/openid-token.ts';
import { newToken, tokenDigest } from '../../core/model/token.ts';
import { activeSession } from '../../core/sessions/active-session.ts';

/** The most tokens of a user at a time; each further one ends the oldest. */
const MAX_TOKENS = 100;

/** Creates a token that proves to another program who the caller is (client-plane.md 12). */
export async function createOpenIdToken(
  deps: Deps,
  { userId }: CreateOpenIdTokenRequest,
  context: HandlerContext,
) {
  ownAccount(context, userId);
  const { account } = await activeSession(deps, requester(context));
  const accessToken = newToken(deps.random);
  await deps.openIdTokens.insertOne({
    _id: tokenDigest(accessToken),
    user_id: userId,
    epoch: account.sessions.epoch,
    expires_ts: deps.clock.now() + OPENID_TOKEN_LIFE_S * 1000,
  });
  const beyond = await deps.openIdTokens
    .find({ user_id: userId }, { sort: { expires_ts: -1, _id: 1 }, skip: MAX_TOKENS, projection: { _id: 1 } })
    .toArray();
  if (beyond.length > 0) await deps.openIdTokens.deleteMany({ _id: { $in: beyond.map(({ _id }) => _id) } });
  return {
    accessToken,
    tokenType: 'Bearer',
    matrixServerName: deps.serverName,
    expiresIn: BigInt(OPENID_TOKEN_LIFE_S),
  };
}
