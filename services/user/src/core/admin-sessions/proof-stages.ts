import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { PASSWORD_STAGE } from '../model/password-stage.ts';

/** Whether the user of an account can prove who they are with a password of this server. */
export function hasPassword({ settings }: Pick<Deps, 'settings'>, account: Account): boolean {
  return settings.passwordLogin && account.password_hash !== null;
}

/** How the user of an account can prove who they are; empty when they cannot. */
export function proofStagesOf(deps: Pick<Deps, 'settings'>, account: Account): string[] {
  return hasPassword(deps, account) ? [PASSWORD_STAGE] : [];
}
