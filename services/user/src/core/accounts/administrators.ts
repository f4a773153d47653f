import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { accountAggregate } from './account-aggregate.ts';

/**
 * How the facets of accounts begin that are active administrators: not deactivated, not locked, no guests,
 * administrators. See `facetOf`; suspended accounts and those that await approval begin with a letter.
 */
const ACTIVE = '0001';

/** The same for accounts that await approval, which matters only while the server requires approval. */
const ACTIVE_AWAITING = 'w0001';

/** The facets of active administrators begin with one of these. */
function activeFacets({ settings }: Pick<Deps, 'settings'>): readonly string[] {
  return settings.approvalRequired ? [ACTIVE] : [ACTIVE, ACTIVE_AWAITING];
}

/** The facets of active accounts begin with one of these, those of administrators included. */
function activeBeginnings({ settings }: Pick<Deps, 'settings'>): readonly string[] {
  return settings.approvalRequired ? ['000'] : ['000', 'w000'];
}

/** Whether no flag of an account shuts it out. */
export function isActive(deps: Pick<Deps, 'settings'>, { facet }: Pick<Account, 'facet'>): boolean {
  return activeBeginnings(deps).some((beginning) => facet.startsWith(beginning));
}

/**
 * By which right an account can act as others: `admin`, its roles, or nothing. Tokens with which it acts as others end
 * when that changes. Whether its roles permit it is checked at each use of such a token.
 */
export function rightsKey(deps: Pick<Deps, 'settings'>, account: Pick<Account, 'facet' | 'roles'>): string {
  if (isActiveAdministrator(deps, account)) return 'admin';
  return isActive(deps, account) ? (account.roles ?? []).join(' ') : '';
}

/** Whether an account can administer the server: an administrator whom no flag of the account shuts out. */
export function isActiveAdministrator(
  deps: Pick<Deps, 'settings'>,
  { facet }: Pick<Account, 'facet'>,
): boolean {
  return activeFacets(deps).some((beginning) => facet.startsWith(beginning));
}

/**
 * Refuses a change after which the server would have no active administrator. The caller must commit its change on the
 * condition that the account has the version that was read before this call.
 *
 * The commit of another administrator makes this hold for concurrent changes. Of two administrators whom two requests
 * demote at the same time, each is the other one of one request: either its empty commit comes first, and the other
 * request fails to commit and decides again; or the demotion does, and this commit fails. The same holds for a circle
 * of several. It needs no document that a crash could leave in the way.
 *
 * @throws refuse.unknown when there is no other active administrator
 * @throws Conflict on `version` when the other administrator has changed since it was read
 */
export async function requireOtherAdministrator(deps: Deps, userId: string): Promise<void> {
  await accountAggregate.commit(deps, await otherAdministratorOrRefuse(deps, userId), {});
}

/**
 * Another active administrator, for a change that is only planned.
 *
 * @throws refuse.unknown when there is none
 */
export async function otherAdministratorOrRefuse(deps: Deps, userId: string): Promise<Account> {
  const other = await otherAdministrator(deps, userId);
  if (!other) throw refuse.unknown('This is the last active administrator of the server');
  return other;
}

async function otherAdministrator(deps: Deps, userId: string): Promise<Account | undefined> {
  for (const beginning of activeFacets(deps)) {
    const found = await deps.accounts.findOne(
      { facet: { $gte: beginning, $lt: after(beginning) }, _id: { $ne: userId } },
      { sort: { facet: 1, _id: 1 } },
    );
    if (found) return found;
  }
  return undefined;
}

/** The first text after all those that begin with a text, which ends in a digit below 9. */
function after(beginning: string): string {
  return `${beginning.slice(0, -1)}${Number(beginning.at(-1)) + 1}`;
}
