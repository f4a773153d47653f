import type { Deps } from '../deps.ts';
import { flagsOf } from '../model/account.ts';

/** Whether an account can administer the server: an active one of an administrator. */
export async function hasAdministrator({ accounts }: Pick<Deps, 'accounts'>): Promise<boolean> {
  for (const [facet, total] of await accounts.tally()) {
    const { admin, deactivated } = flagsOf(facet);
    if (admin && !deactivated && total > 0) return true;
  }
  return false;
}
