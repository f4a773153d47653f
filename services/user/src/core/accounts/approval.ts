import { awaitingApproval } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';

/**
 * Refuses an account that an administrator has not approved, while the server requires approval.
 *
 * @throws awaitingApproval
 */
export function requireApproval(
  { settings }: Pick<Deps, 'settings'>,
  account: Pick<Account, 'awaits_approval'>,
): void {
  if (settings.approvalRequired && account.awaits_approval) throw awaitingApproval();
}

/** Whether an account is approved, as administrators see it; `undefined` while the server requires no approval. */
export function shownApproval(
  { settings }: Pick<Deps, 'settings'>,
  account: Pick<Account, 'awaits_approval'>,
): boolean | undefined {
  return settings.approvalRequired ? !account.awaits_approval : undefined;
}
