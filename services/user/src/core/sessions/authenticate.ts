import { refuse } from '@steward/errors';
import {
  type Client,
  isAutomationToken,
  type MethodRules,
  type RateLimitOverride,
  type Requester,
} from '@steward/rpc';
import { mayActAs } from '../accounts/may-act-as.ts';
import { isOverMonthlyLimit } from '../accounts/monthly-limit.ts';
import { authenticateAutomationToken } from '../automation-tokens/authenticate-automation-token.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { expiryOf, isAlive, tokenDigest } from '../model/token.ts';
import { rightsOf } from '../roles/account-rights.ts';
import { isExpired } from './account-validity.ts';
import { endSuperseded } from './end-superseded.ts';

/**
 * Looks a token up by its form: an automation token, or an access token of an account.
 *
 * @throws what `authenticateAccessToken` and `authenticateAutomationToken` do
 */
export async function authenticate(
  deps: Deps,
  token: string,
  options: Pick<MethodRules, 'allowLocked' | 'allowExpired'>,
  client: Client | undefined,
): Promise<Requester> {
  return isAutomationToken(token)
    ? authenticateAutomationToken(deps, token, client)
    : authenticateAccessToken(deps, token, options, client);
}

/**
 * Looks an access token up, and refuses it if the state of its account requires that (behaviour.md 0.2). The account is
 * read each time, so a change by an administrator takes effect with the next request.
 *
 * @throws refuse.unknownToken, refuse.expiredToken, refuse.userLocked or refuse.expiredAccount
 */
async function authenticateAccessToken(
  deps: Deps,
  accessToken: string,
  options: Pick<MethodRules, 'allowLocked' | 'allowExpired'>,
  client: Client | undefined,
): Promise<Requester> {
  const token = await deps.tokens.findOne({ _id: tokenDigest(accessToken) });
  if (!token) throw unknown(deps);
  const account = await deps.accounts.findOne({ _id: token.user_id });
  const owner = token.owner === token.user_id ? account : await deps.accounts.findOne({ _id: token.owner });
  if (!account || account.deactivated || !owner || !isAlive(token, owner)) {
    throw unknown(deps);
  }
  if (owner !== account && !(await mayActAs(deps, owner, account))) throw unknown(deps);
  const expiry = expiryOf(token, deps.settings.loginAsMaxLifetimeMs);
  if (expiry !== null && expiry < deps.clock.now() && !options.allowExpired) {
    deps.tokenRefusals.add({ reason: 'expired_token' });
    throw refuse.expiredToken('The access token has expired');
  }
  if (account.locked && !options.allowLocked) {
    deps.tokenRefusals.add({ reason: 'locked_account' });
    throw refuse.userLocked('This account is locked');
  }
  if (isExpired(deps, account) && !options.allowLocked) {
    deps.tokenRefusals.add({ reason: 'expired_account' });
    throw refuse.expiredAccount('This account has expired');
  }
  if (token.supersedes) {
    await endSuperseded(deps, owner, token.supersedes, token._id);
    await deps.tokens.updateOne({ _id: token._id }, { $unset: { supersedes: true } });
  }
  const overMonthlyLimit = await isOverMonthlyLimit(deps, owner);
  // A recorded use would count a user beyond the monthly limit as active.
  if (client && !overMonthlyLimit) await deps.lastSeen.record(token, client);
  return {
    userId: token.user_id,
    owner: token.owner,
    deviceId: token.device_id ?? undefined,
    tokenId: token._id,
    ...(await rightsOf(deps, account)),
    guest: account.is_guest,
    shadowBanned: account.shadow_banned,
    suspended: account.suspended,
    rateLimit: rateLimitOf(account),
    ownerRateLimit: rateLimitOf(owner),
    overMonthlyLimit,
    quotas: account.quotas ?? {},
  };
}

function unknown({ tokenRefusals }: Pick<Deps, 'tokenRefusals'>): Error {
  tokenRefusals.add({ reason: 'unknown_token' });
  return refuse.unknownToken('Unknown access token');
}

function rateLimitOf({ rate_limit: held }: Account): RateLimitOverride | undefined {
  if (!held) return undefined;
  return { messagesPerSecond: held.messages_per_second, burstCount: held.burst_count };
}
