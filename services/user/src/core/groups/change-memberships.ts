import { isDeepStrictEqual } from 'node:util';
import { changeAccount } from '../accounts/change-account.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { AccountEffect } from '../model/account-effect.ts';
import type { Cause } from '../model/cause.ts';
import type { Group, GroupMembership } from '../model/group.ts';
import { roleNamesOf } from '../roles/account-rights.ts';
import { withGroupRoles } from '../roles/group-roles.ts';

/** Who changes memberships. */
export interface Origin extends Cause {
  /** As in the audit log; empty for the server. */
  readonly actor: string;
  /** The id of the HTTP request; empty for none. */
  readonly requestId: string;
}

/** A change of memberships; without one, those of the account stay. */
export interface MembershipChange {
  /** Further groups that `decide` asks for. */
  readonly about: readonly string[];
  /** The memberships that an account is to have. It may throw a refusal. */
  readonly decide: (
    account: Account,
    groups: ReadonlyMap<string, Group>,
  ) => Promise<readonly GroupMembership[]>;
  /** Throws a refusal of what would follow. */
  readonly check: (before: Account, after: Pick<Account, 'admin'>) => void;
}

/**
 * Changes the memberships of an account, and what follows from them, in one commit. Deactivated accounts are in no group.
 *
 * A group that changes at the same time orders a task afterwards, which may have passed the account before the commit. So groups are
 * compared after it, and the account is decided again if one has changed.
 *
 * @returns the account, and whether it was changed; `undefined` when there is none
 * @throws refuse.unknown when the server would have no active administrator afterwards
 */
export async function changeMemberships(
  deps: Deps,
  userId: string,
  origin: Origin,
  change?: MembershipChange,
): Promise<{ readonly account: Account; readonly changed: boolean } | undefined> {
  let wanted = change;
  let changed = false;
  for (;;) {
    let seen: ReadonlyMap<string, Group> = new Map();
    const account = await changeAccount(deps, userId, origin, async (current) => {
      seen = await groupsOf(deps, [...(current.groups ?? []).map(({ id }) => id), ...(wanted?.about ?? [])]);
      const decided = wanted ? await wanted.decide(current, seen) : (current.groups ?? []);
      const groups = current.deactivated ? [] : decided;
      const set = withGroupRoles({ ...current, groups }, seen);
      wanted?.check(current, set);
      const has = { admin: current.admin, roles: current.roles ?? [] };
      const gets = { admin: set.admin, roles: set.roles ?? [] };
      const isSame = isDeepStrictEqual(has, gets);
      changed ||= !isSame || !isDeepStrictEqual(set.groups ?? [], current.groups ?? []);
      return { set, effects: isSame ? [] : [await rolesFollowed(deps, set, origin)] };
    });
    if (!account) return undefined;
    const now = await groupsOf(deps, [...seen.keys()]);
    const isCurrent = [...seen].every(([id, { version }]) => now.get(id)?.version === version);
    if (isCurrent) return { account, changed };
    wanted = undefined;
  }
}

/** The groups of some ids that were not deleted, by id. */
export async function groupsOf(
  { groups }: Pick<Deps, 'groups'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Group>> {
  if (ids.length === 0) return new Map();
  const found = await groups.find({ _id: { $in: [...new Set(ids)] } }).toArray();
  return new Map(found.filter(({ deleted }) => !deleted).map((group) => [group._id, group]));
}

/** The event about roles that groups give or take. */
async function rolesFollowed(
  deps: Deps,
  account: Pick<Account, 'admin' | 'roles'>,
  { actor, requestId }: Origin,
): Promise<AccountEffect> {
  const roles = await roleNamesOf(deps, account);
  return { kind: 'event', event: 'roles_followed', actor, request_id: requestId, roles };
}
