import { compareCodePoints } from '@steward/kernel';
import type { Account, ProvidedRole } from '../model/account.ts';
import { MAX_ROLES_OF_ACCOUNT } from '../model/role.ts';
import { ADMIN_ROLE } from './built-in-roles.ts';
import { groupProvider, isGroupProvider } from './group-provider.ts';
import { providerOf } from './membership-sources.ts';

/** What of an account gives it roles. */
type Holder = Pick<Account, 'admin' | 'roles' | 'provided_roles'>;

/**
 * The roles of an account of which an identity provider now says which ones it gives. Those that it gave before and does not give any
 * more are taken away; those that were given by hand, or that another provider gives, stay. A role that was given by hand before the
 * provider gave it stays one that was given by hand.
 *
 * @param given see `roleReference`; `admin` for the flag
 */
export function withProvidedRoles(
  account: Holder,
  provider: string,
  given: readonly string[],
): Pick<Account, 'admin' | 'roles' | 'provided_roles'> {
  const before = account.provided_roles ?? [];
  const provided = new Set(before.map(({ role }) => role));
  const held = heldBy(account);
  const byHand = held.filter((role) => !provided.has(role));
  const next: ProvidedRole[] = [
    ...before.filter((each) => each.provider !== provider),
    ...given.filter((role) => !byHand.includes(role)).map((role) => ({ provider, role })),
  ];
  const all = new Set([...byHand, ...next.map(({ role }) => role)]);
  const admin = all.delete(ADMIN_ROLE);
  const roles = [...all].slice(0, MAX_ROLES_OF_ACCOUNT).sort(compareCodePoints);
  return {
    admin,
    // An account without roles keeps the document that it has without these fields.
    ...(roles.length > 0 || account.roles ? { roles } : {}),
    ...keptProvided({ admin, roles, provided_roles: next }, account),
  };
}

/** What stays provided of the roles of an account after a change by hand: what it has had from a provider, and still has. */
export function keptProvided(next: Holder, before: Holder): Pick<Account, 'provided_roles'> {
  const held = new Set(heldBy(next));
  const kept = (next.provided_roles ?? []).filter(({ role }) => held.has(role));
  return kept.length > 0 || before.provided_roles ? { provided_roles: kept } : {};
}

/** The account without the roles and memberships that identity providers gave with which it is not linked any more. */
export function withoutUnlinkedRoles(account: Account): Account {
  const linked = new Set(account.external_ids.map(({ auth_provider }) => auth_provider));
  const unlinked = new Set(
    (account.provided_roles ?? [])
      .map(({ provider }) => provider)
      .filter((provider) => !linked.has(provider) && !isGroupProvider(provider)),
  );
  let left = withoutUnlinkedGroups(account, linked);
  for (const provider of unlinked) left = Object.assign({ ...left }, withProvidedRoles(left, provider, []));
  return left;
}

function withoutUnlinkedGroups(account: Account, linked: ReadonlySet<string>): Account {
  const { groups = [] } = account;
  const isOver = (source: string) => {
    const provider = providerOf(source);
    return provider !== undefined && !linked.has(provider);
  };
  if (!groups.some(({ by }) => by.some(isOver))) return account;
  const kept = groups.map((membership) => ({
    ...membership,
    by: membership.by.filter((source) => !isOver(source)),
  }));
  let left: Account = { ...account, groups: kept.filter(({ by }) => by.length > 0) };
  for (const { id, by } of kept)
    if (by.length === 0) left = { ...left, ...withProvidedRoles(left, groupProvider(id), []) };
  return left;
}

/** The roles of an account, see `roleReference`; `admin` for the flag. */
export function heldBy({ admin, roles = [] }: Holder): readonly string[] {
  return admin ? [ADMIN_ROLE, ...roles] : roles;
}
