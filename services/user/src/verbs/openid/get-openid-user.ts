import { refuse } from '@steward/errors';
import type { GetOpenIdUserRequest } from '@steward/proto/steward/user/v1/openid_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { isInEpoch, tokenDigest } from '../../core/model/token.ts';
import { isExpired } from '../../core/sessions/account-validity.ts';

/**
 * Returns whose OpenID token it is. A token ends with all sessions of its user, and proves nothing while the account is locked or
 * its validity has expired.
 *
 * @throws refuse.unknownToken
 */
export async function getOpenIdUser(deps: Deps, { accessToken }: GetOpenIdUserRequest) {
  const token = await deps.openIdTokens.findOne({ _id: tokenDigest(accessToken) });
  if (!token || token.expires_ts <= deps.clock.now()) throw unknown();
  const account = await deps.accounts.findOne({ _id: token.user_id });
  if (!account || !isInEpoch(token, account) || account.locked || isExpired(deps, account)) throw unknown();
  return { sub: account._id };
}

function unknown(): Error {
  return refuse.unknownToken('The OpenID token is unknown or has expired: request another one');
}
