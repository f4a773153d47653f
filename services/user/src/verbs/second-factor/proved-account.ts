import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse, stepUpRequired } from '@steward/errors';
import { hasScopes, isRecent, type Requester, requester } from '@steward/rpc';
import { callersAccount } from '../../core/accounts/callers-account.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { hasSecondFactor } from '../../core/model/second-factor.ts';
import { rightsOf } from '../../core/roles/account-rights.ts';
import { proofFailureKey, requirePassword } from '../../core/sessions/require-password.ts';

/**
 * The caller's account, whose user has proved to know the password: in the request, or in an administrator session by a
 * recent step-up.
 *
 * @throws refuse.missingParam, stepUpRequired, refuse.forbidden or limitExceeded
 */
export async function provedAccount(
  deps: Deps,
  context: HandlerContext,
  { password }: { readonly password?: string | undefined },
): Promise<Account> {
  const caller = requester(context);
  const account = await callersAccount(deps, caller);
  if (password === undefined) requireRecentProof(deps, caller);
  else if (account.password_hash === null) throw refuse.forbidden('The account has no password');
  else {
    // Refused attempts are recorded, and those beyond the limit would be too many.
    deps.limits.loginFailed.check(proofFailureKey(account));
    if (hasSecondFactor(account) || hasScopes(await rightsOf(deps, account))) await recordCall(context);
    return requirePassword(deps, account, password);
  }
  return account;
}

function requireRecentProof(
  { clock, settings }: Deps,
  { kind, provedTs = 0, proofStages = [] }: Requester,
): void {
  if (kind !== 'session') throw refuse.missingParam("'password' is missing");
  if (!isRecent(provedTs, clock.now(), settings.stepUpMs)) throw stepUpRequired(proofStages);
}
