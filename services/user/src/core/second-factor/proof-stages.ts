import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { AdminSession } from '../model/admin-session.ts';
import { PASSKEY_STAGE, PASSWORD_STAGE, SSO_STAGE, TOTP_STAGE } from '../model/proof-stages.ts';
import { secondFactorOf } from '../model/second-factor.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';

type Provable = Pick<Account, 'password_hash' | 'second_factor' | 'passkeys'>;

/** Whether the user of an account can log in with a password of this server. */
export function hasPassword(
  { settings }: Pick<Deps, 'settings'>,
  account: Pick<Account, 'password_hash'>,
): boolean {
  return settings.passwordLogin && account.password_hash !== null;
}

/**
 * The stages with which the user of an administrator session proves their identity: of one that began with an identity provider, a
 * sign-in there takes the place of the password.
 */
export function proofStagesOfSession(
  deps: Pick<Deps, 'settings' | 'identityProviders'>,
  account: Provable,
  { provider }: Pick<AdminSession, 'provider'>,
): string[] {
  const stages = proofStagesOf(deps, account);
  if (provider === undefined || !deps.identityProviders.get(provider)) return stages;
  return [SSO_STAGE, ...stages.filter((stage) => stage !== PASSWORD_STAGE)];
}

/** The stages with which the user of an account proves their identity, in this order; empty when they cannot. */
export function proofStagesOf(deps: Pick<Deps, 'settings'>, account: Provable): string[] {
  return [
    ...(hasPassword(deps, account) ? [PASSWORD_STAGE] : []),
    ...(secondFactorOf(account) ? [TOTP_STAGE] : []),
    ...((account.passkeys ?? []).length > 0 && relyingPartyOf(deps) ? [PASSKEY_STAGE] : []),
  ];
}
