import { compareCodePoints } from '@steward/kernel';
import type { Account, ProvidedRole } from '../model/account.ts';
import type { Group, GroupMembership } from '../model/group.ts';
import { MAX_ROLES_OF_ACCOUNT } from '../model/role.ts';
import { ADMIN_ROLE } from './built-in-roles.ts';
import { groupProvider, isGroupProvider } from './group-provider.ts';
import { heldBy } from './provided-roles.ts';

/** What of an account says in which groups it is, and which roles it has. */
type Member = Pick<Account, 'admin' | 'roles' | 'provided_roles' | 'groups'>;

/** What of a group says which roles its members have. */
export type GroupRules = Pick<Group, 'roles' | 'enforced' | 'hand_edits'>;

/**
 * The memberships and roles of an account of which these are the groups. Roles that a group gave and does not give any more are taken
 * away, those that were given by hand or by an identity provider stay. The result depends on the groups and their memberships, and not
 * on the order of the changes that led to them.
 *
 * @param groups by id; a membership of another group has ended
 */
export function withGroupRoles(account: Member, groups: ReadonlyMap<string, GroupRules>): Member {
  const before = account.provided_roles ?? [];
  const provided = new Set(before.map(({ role }) => role));
  const held = new Set(heldBy(account));
  const byHand = [...held].filter((role) => !provided.has(role));
  const memberships: GroupMembership[] = [];
  const given: ProvidedRole[] = [];
  for (const membership of [...(account.groups ?? [])].sort((a, b) => compareCodePoints(a.id, b.id))) {
    const rules = groups.get(membership.id);
    if (!rules) continue;
    const provider = groupProvider(membership.id);
    const { gave, ...rest } = membership;
    if (!rules.enforced) {
      // What it has given is left as it is.
      memberships.push(membership);
      given.push(...before.filter((each) => each.provider === provider));
      continue;
    }
    memberships.push(rules.roles.length > 0 ? { ...rest, gave: rules.roles } : rest);
    for (const role of rules.roles) {
      const wasTaken = gave?.includes(role) && !held.has(role);
      if (!(wasTaken && rules.hand_edits === 'keep')) given.push({ provider, role });
    }
  }
  return withProvided(account, {
    byHand,
    provided: [
      ...before.filter(({ provider }) => !isGroupProvider(provider)),
      ...given.filter(({ role }) => !byHand.includes(role)),
    ],
    memberships,
  });
}

function withProvided(
  account: Member,
  next: {
    readonly byHand: readonly string[];
    readonly provided: readonly ProvidedRole[];
    readonly memberships: readonly GroupMembership[];
  },
): Member {
  const all = new Set([...next.byHand, ...next.provided.map(({ role }) => role)]);
  const admin = all.delete(ADMIN_ROLE);
  const roles = [...all].slice(0, MAX_ROLES_OF_ACCOUNT).sort(compareCodePoints);
  const held = new Set(admin ? [ADMIN_ROLE, ...roles] : roles);
  const provided = next.provided.filter(({ role }) => held.has(role));
  return {
    admin,
    // An account without any of them keeps the document that it has without these fields.
    ...(roles.length > 0 || account.roles ? { roles } : {}),
    ...(provided.length > 0 || account.provided_roles ? { provided_roles: provided } : {}),
    ...(next.memberships.length > 0 || account.groups ? { groups: next.memberships } : {}),
  };
}
