import type { MessageInitShape } from '@bufbuild/protobuf';
import { clampToSafe, compareCodePoints, optionalInt64 } from '@steward/kernel';
import type { AccountFilter, UserListEntrySchema } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { Filter, Sort } from '@steward/store';
import { shownApproval } from '../../core/accounts/approval.ts';
import { shownIds } from '../../core/accounts/render-account.ts';
import type { Deps } from '../../core/deps.ts';
import { type Account, type Flags, flagsOf } from '../../core/model/account.ts';
import { fieldFilters, flagFilter } from './account-filter.ts';

/** The page size when the request names none. */
const DEFAULT_LIMIT = 100;

/** The largest page; `next_token` leads to the next one. */
export const MAX_LIMIT = 10_000;

/** The fields of an entry, of which `facet` has all flags: a short document costs less to read than one with each flag. */
const entryFields = {
  displayname: 1,
  avatar_url: 1,
  facet: 1,
  creation_ts: 1,
  last_seen_ts: 1,
} as const;

/** What `with_ids` adds. */
const idFields = { threepids: 1, external_ids: 1 } as const;

type FlagKey = keyof Flags;

const flagKeys: ReadonlySet<string> = new Set<FlagKey>([
  'is_guest',
  'admin',
  'user_type',
  'deactivated',
  'shadow_banned',
  'locked',
]);

/** A part of the matching accounts that is contiguous in the requested order. */
interface Group {
  readonly filter: Filter<Account>;
  /** The number of accounts; undefined when the query tests more than flags. */
  readonly count: number | undefined;
}

/** Whether a list includes accounts with these flags; the other filters of the request apply in addition. */
export type IsListed = (flags: Flags) => boolean;

/**
 * Returns a page of accounts. A filter on flags selects among the few facets that exist. Their exact totals
 * are known, so counting and skipping cost nothing, and an index holds the accounts of each facet in every
 * documented order.
 */
export async function pageOfUsers(deps: Deps, query: AccountFilter, isListed: IsListed) {
  const from = clampToSafe(query.from ?? 0n);
  const requested = clampToSafe(query.limit ?? BigInt(DEFAULT_LIMIT));
  const limit = Math.min(requested, MAX_LIMIT);
  const orderBy = query.orderBy ?? 'name';
  const direction = query.dir === 'b' ? -1 : 1;
  const sort = sortOf(orderBy, direction);

  const accounts: Account[] = [];
  let total = 0;
  for (const group of await groupsInOrder(deps, query, isListed, orderBy, direction)) {
    const remaining = limit - accounts.length;
    const skip = Math.max(0, from - total);
    const part = await partOf(deps, group, query.withIds, { sort, skip, limit: remaining });
    accounts.push(...part);
    total += group.count ?? (await countAround(deps, group, skip, remaining, part.length));
  }
  const flags = flagsByFacet();
  return {
    users: accounts.map((account) => toEntry(deps, account, flags(account.facet), query.withIds)),
    total: BigInt(total),
    ...(from + limit < total ? { nextToken: String(from + accounts.length) } : {}),
  };
}

/** Reads the accounts of a group that belong to the page. */
async function partOf(
  deps: Deps,
  { filter, count }: Group,
  withIds: boolean,
  page: { readonly sort: Sort<Account>; readonly skip: number; readonly limit: number },
): Promise<readonly Account[]> {
  if (page.limit === 0 || (count !== undefined && page.skip >= count)) return [];
  const projection = withIds ? { ...entryFields, ...idFields } : entryFields;
  return deps.accounts.find(filter, { ...page, projection }).toArray();
}

/** The number of accounts in a group; it is not counted when the page has just reached the group's end. */
async function countAround(
  deps: Deps,
  { filter }: Group,
  skip: number,
  limit: number,
  read: number,
): Promise<number> {
  const endWasRead = read < limit && (read > 0 || skip === 0);
  return endWasRead ? skip + read : deps.accounts.countDocuments(filter);
}

async function groupsInOrder(
  deps: Deps,
  query: AccountFilter,
  isListed: IsListed,
  orderBy: string,
  direction: 1 | -1,
): Promise<readonly Group[]> {
  const passes = await flagFilter(deps, query);
  const found = await fieldFilters(deps, query);
  if (!found) return [];
  const totals = await deps.accounts.tally();
  const facets = [...totals].filter(([facet, count]) => {
    const flags = flagsOf(facet);
    return count > 0 && isListed(flags) && passes(flags);
  });

  const byKey = new Map<string, [string, number][]>();
  for (const facet of facets) {
    const key = flagKeys.has(orderBy) ? String(flagsOf(facet[0])[orderBy as FlagKey] ?? '') : '';
    byKey.set(key, [...(byKey.get(key) ?? []), facet]);
  }
  const inOrder = [...byKey].sort(([a], [b]) => compareCodePoints(a, b) * direction);
  return inOrder.map(([, group]) => ({
    filter: {
      facet: { $in: group.map(([facet]) => facet) },
      ...(found.length > 0 ? { $and: found } : {}),
    },
    count: found.length > 0 ? undefined : group.reduce((sum, [, count]) => sum + count, 0),
  }));
}

function sortOf(orderBy: string, direction: 1 | -1): Sort<Account> {
  if (orderBy === 'name') return { _id: direction };
  if (flagKeys.has(orderBy)) return { _id: 1 };
  return { [orderBy]: direction, _id: 1 };
}

function toEntry(
  deps: Deps,
  account: Account,
  flags: Flags,
  withIds: boolean,
): MessageInitShape<typeof UserListEntrySchema> {
  return {
    name: account._id,
    isGuest: flags.is_guest,
    admin: flags.admin,
    userType: flags.user_type ?? undefined,
    deactivated: flags.deactivated,
    erased: flags.erased,
    shadowBanned: flags.shadow_banned,
    displayname: account.displayname ?? undefined,
    avatarUrl: account.avatar_url ?? undefined,
    creationTs: BigInt(account.creation_ts),
    lastSeenTs: optionalInt64(account.last_seen_ts),
    locked: flags.locked,
    approved: shownApproval(deps, flags),
    ...(withIds ? shownIds(account) : {}),
  };
}

/** The flags of facets, of which few are different in a page. */
function flagsByFacet(): (facet: string) => Flags {
  const known = new Map<string, Flags>();
  return (facet) => {
    const flags = known.get(facet) ?? flagsOf(facet);
    known.set(facet, flags);
    return flags;
  };
}
