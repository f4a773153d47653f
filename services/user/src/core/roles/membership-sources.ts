import { compareCodePoints } from '@steward/kernel';
import type { GroupMembership } from '../model/group.ts';

const PREFIX = 'oidc:';

/** How memberships name an identity provider that says them. */
export function providerSource(provider: string): string {
  return `${PREFIX}${provider}`;
}

/** The identity provider that a source is; undefined for another one. */
export function providerOf(source: string): string | undefined {
  return source.startsWith(PREFIX) ? source.slice(PREFIX.length) : undefined;
}

/** Memberships of which a source now says exactly those of some groups. What others say stays. */
export function withSource(
  memberships: readonly GroupMembership[],
  source: string,
  ids: readonly string[],
): readonly GroupMembership[] {
  const known = new Set(memberships.map(({ id }) => id));
  const named = new Set(ids);
  const all = [
    ...memberships,
    ...ids.filter((id) => !known.has(id)).map((id) => ({ id, by: [] as string[] })),
  ];
  return all
    .map((membership) => {
      const others = membership.by.filter((one) => one !== source);
      const by = named.has(membership.id) ? [...others, source].sort() : others;
      return { ...membership, by };
    })
    .filter(({ by }) => by.length > 0)
    .sort((a, b) => compareCodePoints(a.id, b.id));
}
