import type { Deps } from '../deps.ts';
import { isActiveAdministrator } from './administrators.ts';

/** Whether an active administrator exists, see `isActiveAdministrator`. */
export async function hasAdministrator(deps: Pick<Deps, 'accounts' | 'settings'>): Promise<boolean> {
  for (const [facet, total] of await deps.accounts.tally()) {
    if (total > 0 && isActiveAdministrator(deps, { facet })) return true;
  }
  return false;
}
