import type { Filter, GroupOptions } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import type { Media } from '../../core/model/media.ts';
import { type FoundUsage, orderOf, type UsagePage, type UsageRow, withMedia } from './usage-query.ts';

/** A time range of uploads, both ends included, in milliseconds since the Unix epoch. */
export interface TimeWindow {
  readonly fromMs: number;
  /** `undefined` for no end. */
  readonly untilMs: number | undefined;
}

/** The number of users whose sums are read in one query. */
const USERS_AT_ONCE = 500;

type Found = Pick<Deps, 'media' | 'usage' | 'serverName'>;

/** The orders that the store can sort sums by, by sort key. */
const ORDERS: Partial<Record<keyof UsageRow, GroupOptions<Media>['order']>> = {
  _id: 'value',
  count: 'count',
  length: 'sum',
};

/**
 * Returns the uploads of users within a time range. The store computes the sums, separately from other requests; this
 * process holds only the page and a batch of users.
 */
export async function usageIn(deps: Found, page: UsagePage, window: TimeWindow): Promise<FoundUsage> {
  const order = ORDERS[page.sortBy];
  if (page.term === undefined && order) return summedUsage(deps, page, window, order);
  return chosenUsage(deps, page, window);
}

/** Returns the page of all users in an order of the sums. */
async function summedUsage(
  deps: Found,
  { direction, from, limit }: UsagePage,
  window: TimeWindow,
  order: GroupOptions<Media>['order'],
): Promise<FoundUsage> {
  // A page without rows still has a total, and a limit of 0 would mean no limit.
  const grouping = {
    by: 'user_id',
    sum: 'length',
    order,
    direction,
    skip: from,
    limit: Math.max(limit, 1),
  } as const;
  const { groups, total } = await deps.media.groups(mediaIn(deps, window), grouping);
  const rows: UsageRow[] = [];
  for (let start = 0; start < Math.min(groups.length, limit); start += USERS_AT_ONCE) {
    const some = groups.slice(start, start + USERS_AT_ONCE);
    const users = deps.usage.find(
      { _id: { $in: some.map(({ value }) => value) } },
      { projection: { displayname: 1 } },
    );
    const names = new Map((await users.toArray()).map(({ _id, displayname }) => [_id, displayname]));
    for (const { value, count, sum } of some) {
      rows.push({ _id: value, displayname: names.get(value) ?? null, count, length: sum });
    }
  }
  return { rows, total };
}

/** Returns the page of users selected by a text or sorted by name: it reads them and their sums in batches. */
async function chosenUsage(deps: Found, page: UsagePage, window: TimeWindow): Promise<FoundUsage> {
  const { sortBy, direction, from, limit, term } = page;
  // Sums are known only at the end; users with equal sums ascend, because the sort is stable.
  const sum = sortBy === 'count' || sortBy === 'length' ? sortBy : undefined;
  const end = from + limit;
  const first = (rows: UsageRow[]) =>
    (sum ? rows.sort((a, b) => direction * (a[sum] - b[sum])) : rows).slice(0, end);
  const all = term === undefined ? await countUsers(deps, window) : undefined;
  let rows: UsageRow[] = [];
  let total = 0;
  for await (const users of usersInOrder(deps, page, sum !== undefined)) {
    const found = await rowsOf(deps, users, window);
    total += found.length;
    rows.push(...found);
    // Not after each batch, so that a late page does not sort all earlier rows each time.
    if (rows.length > 2 * end + USERS_AT_ONCE) rows = first(rows);
    if (all !== undefined && rows.length >= end) break;
  }
  return { rows: first(rows).slice(from), total: all ?? total };
}

/** Yields the users that a text selects, in batches, with their names. */
async function* usersInOrder(
  { usage }: Found,
  { sortBy, direction, term }: UsagePage,
  isSorted: boolean,
): AsyncGenerator<readonly Pick<UsageRow, '_id' | 'displayname'>[]> {
  const users = usage.find(withMedia(term), {
    sort: isSorted ? orderOf('_id', 1) : orderOf(sortBy, direction),
    projection: { displayname: 1 },
  });
  let some: Pick<UsageRow, '_id' | 'displayname'>[] = [];
  for await (const user of users) {
    some.push(user);
    if (some.length < USERS_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** Returns the rows of those of the users who have uploads, in the order of the users. */
async function rowsOf(
  deps: Found,
  users: readonly Pick<UsageRow, '_id' | 'displayname'>[],
  { fromMs, untilMs }: TimeWindow,
): Promise<readonly UsageRow[]> {
  const theirs: Filter<Media> = {
    user_id: { $in: users.map(({ _id }) => _id) },
    created_ts: timeOf({ fromMs, untilMs }),
  };
  const { groups } = await deps.media.groups(theirs, {
    by: 'user_id',
    sum: 'length',
    order: 'value',
    direction: 1,
  });
  const sums = new Map(groups.map((group) => [group.value, group]));
  return users.flatMap(({ _id, displayname }) => {
    const found = sums.get(_id);
    return found ? [{ _id, displayname, count: found.count, length: found.sum }] : [];
  });
}

/** Counts the users with uploads within a time range. */
async function countUsers(deps: Found, window: TimeWindow): Promise<number> {
  const one = { by: 'user_id', sum: 'length', order: 'value', direction: 1, limit: 1 } as const;
  return (await deps.media.groups(mediaIn(deps, window), one)).total;
}

/** Selects the media of this server within a time range. */
function mediaIn({ serverName }: Found, window: TimeWindow): Filter<Media> {
  return { origin: serverName, created_ts: timeOf(window) };
}

function timeOf({ fromMs, untilMs }: TimeWindow) {
  return { $gte: fromMs, ...(untilMs === undefined ? {} : { $lte: untilMs }) };
}
