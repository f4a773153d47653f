import { refuse } from '@steward/errors';
import { isMarkedSecret } from '@steward/kernel';
import {
  type Client,
  hasScopes,
  isAutomationToken,
  type MethodRules,
  type Requester,
  type Rights,
  SESSION_SECRET_PREFIX,
} from '@steward/rpc';
import { mayActAs } from '../accounts/may-act-as.ts';
import { isOverMonthlyLimit } from '../accounts/monthly-limit.ts';
import { findLiveSession } from '../admin-sessions/live-session.ts';
import { recordUse } from '../admin-sessions/record-use.ts';
import { authenticateAutomationToken } from '../automation-tokens/authenticate-automation-token.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { AdminSession } from '../model/admin-session.ts';
import { hasSecondFactor, isFactorProved } from '../model/second-factor.ts';
import { expiryOf, isAlive, tokenDigest } from '../model/token.ts';
import { rightsOf } from '../roles/account-rights.ts';
import { carriedRights } from '../roles/limited-rights.ts';
import { proofStagesOfSession } from '../second-factor/proof-stages.ts';
import { lacksRequiredFactor, mustEnrolNow } from '../second-factor/requirement.ts';
import { isExpired } from '../sessions/account-validity.ts';
import { endSuperseded } from '../sessions/end-superseded.ts';
import { requesterOf } from '../sessions/requester-of.ts';
import { type DelegatedToken, delegatedToken } from './delegated-token.ts';

/** How a token is looked up. */
interface LookUp extends Pick<MethodRules, 'allowLocked' | 'allowExpired'> {
  /** Whether the token of a call in progress is looked up again, which is not recorded as a use. */
  readonly repeatedLookUp?: boolean;
}

/**
 * Looks a token up by its form: an automation token, the secret of an administrator session, or an access token.
 *
 * @throws what `authenticateAccessToken`, `authenticateSession` and `authenticateAutomationToken` do
 */
export async function authenticate(
  deps: Deps,
  token: string,
  options: LookUp,
  client: Client | undefined,
): Promise<Requester> {
  if (isAutomationToken(token)) return authenticateAutomationToken(deps, token, client, options);
  return isMarkedSecret(SESSION_SECRET_PREFIX, token)
    ? authenticateSession(deps, token, options, client)
    : authenticateAccessToken(deps, token, options, client);
}

/**
 * Looks an access token up, and refuses it if the state of its account requires that (behaviour.md 0.2). The account is
 * read each time, so a change by an administrator takes effect with the next request. While the account or its owner has a
 * second factor, or lacks one that the server requires, which access tokens do not prove, or is suspended, the token carries no
 * administrative rights; it never carries more than its limit.
 *
 * @throws refuse.unknownToken, refuse.expiredToken, refuse.userLocked or refuse.expiredAccount, and what `delegatedToken` does
 */
async function authenticateAccessToken(
  deps: Deps,
  accessToken: string,
  options: LookUp,
  client: Client | undefined,
): Promise<Requester> {
  const { introspector } = deps;
  const delegated = introspector && (await delegatedToken(deps, introspector, accessToken, client));
  const token = introspector
    ? delegated?.token
    : await deps.tokens.findOne({ _id: tokenDigest(accessToken) });
  if (!token || (token.delegated && !introspector)) throw unknown(deps);
  const account = await deps.accounts.findOne({ _id: token.user_id });
  const owner = token.owner === token.user_id ? account : await deps.accounts.findOne({ _id: token.owner });
  if (!account || account.deactivated || !owner || !isAlive(token, owner)) {
    throw unknown(deps);
  }
  if (owner !== account && !(await mayActAs(deps, owner, account, token.rights_limit))) throw unknown(deps);
  // The issuer has just said that its token is valid.
  const expiry = delegated ? null : expiryOf(token, deps.settings.loginAsMaxLifetimeMs);
  if (expiry !== null && expiry < deps.clock.now() && !options.allowExpired) {
    deps.tokenRefusals.add({ reason: 'expired_token' });
    throw refuse.expiredToken('The access token has expired');
  }
  requireUsable(deps, account, options);
  if (token.supersedes) {
    await endSuperseded(deps, owner, token.supersedes, token._id);
    await deps.tokens.updateOne({ _id: token._id }, { $unset: { supersedes: true } });
  }
  const lacksSecondFactor = [account, owner].some(hasSecondFactor);
  const mustEnrol = !lacksSecondFactor && [account, owner].some((one) => lacksRequiredFactor(deps, one));
  const overMonthlyLimit = await isOverMonthlyLimit(deps, owner);
  // A recorded use would count a user beyond the monthly limit as active.
  if (client && !overMonthlyLimit && !options.repeatedLookUp) await deps.lastSeen.record(token, client);
  return {
    ...requesterOf(account, owner),
    deviceId: token.device_id ?? undefined,
    tokenId: token._id,
    ...(lacksSecondFactor ? { lacksSecondFactor } : {}),
    ...(mustEnrol ? { mustEnrol } : {}),
    ...(lacksSecondFactor || mustEnrol
      ? { admin: false }
      : carriedRights(account, await rightsOfToken(deps, account, delegated), token.rights_limit)),
    overMonthlyLimit,
  };
}

/**
 * The rights with an access token: with one of an issuer, the issuer decides who is an administrator. Other roles of the account count in
 * any case.
 */
function rightsOfToken(
  deps: Deps,
  account: Account,
  delegated: DelegatedToken | undefined,
): Rights | Promise<Rights> {
  if (!delegated) return rightsOf(deps, account);
  return delegated.verdict.admin ? { admin: true } : rightsOf(deps, { ...account, admin: false });
}

/**
 * Looks up the secret of an administrator session, as above. A session whose account has no scope any more is deleted. One whose
 * last proof did not include the second factor of the account carries no administrative rights until the next step-up, one whose account
 * lacks a second factor that the server requires none until it has one, and one of a suspended account none until the suspension is lifted.
 *
 * @throws refuse.unknownToken, refuse.userLocked or refuse.expiredAccount
 */
async function authenticateSession(
  deps: Deps,
  secret: string,
  options: Omit<LookUp, 'allowExpired'>,
  client: Client | undefined,
): Promise<Requester> {
  const found = await findLiveSession(deps, secret);
  if (!found) throw unknown(deps);
  const { session, account } = found;
  requireUsable(deps, account, options);
  const rights = await rightsOf(deps, account);
  if (!hasScopes(rights)) {
    await deps.adminSessions.deleteOne({ _id: session._id });
    throw unknown(deps);
  }
  const overMonthlyLimit = await isOverMonthlyLimit(deps, account);
  if (client && !options.repeatedLookUp) {
    await recordUse(deps, session, client);
    const used = { _id: session._id, user_id: account._id, owner: account._id, device_id: null };
    if (!overMonthlyLimit) await deps.lastSeen.record(used, client);
  }
  return {
    ...requesterOf(account, account),
    kind: 'session',
    deviceId: undefined,
    tokenId: session._id,
    ...rightsOfSession(deps, session, account, rights),
    provedTs: session.proved_ts ?? 0,
    proofStages: proofStagesOfSession(deps, account, session),
    overMonthlyLimit,
  };
}

/** What a session has of the rights of its account. */
function rightsOfSession(
  deps: Deps,
  session: AdminSession,
  account: Account,
  rights: Rights,
): Pick<Requester, 'admin' | 'scopes' | 'withheldScopes' | 'lacksSecondFactor' | 'mustEnrol'> {
  const carried = carriedRights(account, rights, session.rights_limit);
  if (account.suspended) return carried;
  if (!isFactorProved(account, session)) return { admin: false, lacksSecondFactor: true };
  if (!mustEnrolNow(deps, account, session)) return carried;
  // What the credential lacks stays known: with it no second factor is set up.
  const { withheldScopes } = carried;
  return { admin: false, mustEnrol: true, ...(withheldScopes ? { withheldScopes } : {}) };
}

/** @throws refuse.userLocked or refuse.expiredAccount, unless the method admits such accounts */
function requireUsable(
  deps: Deps,
  account: Account,
  { allowLocked }: Pick<MethodRules, 'allowLocked'>,
): void {
  if (allowLocked) return;
  if (account.locked) {
    deps.tokenRefusals.add({ reason: 'locked_account' });
    throw refuse.userLocked('This account is locked');
  }
  if (isExpired(deps, account)) {
    deps.tokenRefusals.add({ reason: 'expired_account' });
    throw refuse.expiredAccount('This account has expired');
  }
}

function unknown({ tokenRefusals }: Pick<Deps, 'tokenRefusals'>): Error {
  tokenRefusals.add({ reason: 'unknown_token' });
  return refuse.unknownToken('Unknown access token');
}
