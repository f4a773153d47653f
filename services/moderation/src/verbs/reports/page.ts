import { clampToSafe } from '@steward/kernel';
import type { Collection, Doc, Filter, Sort } from '@steward/store';

/** The default number of rows on a page. */
const DEFAULT_LIMIT = 100;

/** The maximum number of rows on a page; `next_token` continues after it. */
const MAX_LIMIT = 10_000;

/** About the maximum size of the texts of a page, in bytes: half of the size limit of a message between services. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** The parameters of a list. */
interface PageQuery {
  readonly from?: bigint | undefined;
  readonly limit?: bigint | undefined;
  readonly dir?: string | undefined;
}

/** The part of a list that a request selects, and its direction. */
export interface Window {
  readonly from: number;
  readonly limit: number;
  readonly direction: 1 | -1;
}

/** Reads the parameters of a list: the newest first by default. */
export function windowOf({ from = 0n, limit = BigInt(DEFAULT_LIMIT), dir }: PageQuery): Window {
  return {
    from: clampToSafe(from),
    limit: Math.min(clampToSafe(limit), MAX_LIMIT),
    direction: dir === 'f' ? 1 : -1,
  };
}

/** The fields of a report that lists show in addition to ids. */
interface Row extends Doc {
  readonly received_ts: number;
  readonly reason: string | null;
}

/** Returns a page of reports, and the total number of reports. */
export async function pageOf<T extends Row>(
  collection: Collection<T>,
  filter: Filter<T>,
  { from, limit, direction }: Window,
): Promise<{ readonly rows: readonly T[]; readonly total: number }> {
  if (from > 0 || limit === 0) {
    const total = await collection.countDocuments(filter);
    const isEmpty = limit === 0 || from >= total;
    return {
      rows: isEmpty ? [] : (await rowsOf(collection, filter, { from, limit, direction })).fitting,
      total,
    };
  }
  const { fitting, isWhole } = await rowsOf(collection, filter, { from, limit, direction });
  // A list that ends on its first page was counted by reading it.
  const isAll = isWhole && fitting.length < limit;
  return { rows: fitting, total: isAll ? fitting.length : await collection.countDocuments(filter) };
}

function rowsOf<T extends Row>(
  collection: Collection<T>,
  filter: Filter<T>,
  { from, limit, direction }: Window,
) {
  const sort = { received_ts: direction, _id: direction } as Sort<Row> as Sort<T>;
  return fittingRows(collection.find(filter, { sort, skip: from, limit }));
}

/** Returns the first rows that fit on a page: all of them, unless their comments are too long together. */
export async function fittingRows<T extends { readonly reason: string | null }>(
  rows: AsyncIterable<T>,
): Promise<{ readonly fitting: readonly T[]; readonly isWhole: boolean }> {
  const fitting: T[] = [];
  let bytes = 0;
  for await (const row of rows) {
    bytes += Buffer.byteLength(row.reason ?? '');
    if (bytes > MAX_PAGE_BYTES && fitting.length > 0) return { fitting, isWhole: false };
    fitting.push(row);
  }
  return { fitting, isWhole: true };
}

/** Returns the start of the page after one with this number of rows, if there is one. */
export function nextToken({ from, limit }: Window, rows: number, total: number): { nextToken?: bigint } {
  // After a shortened page, the next one starts where it ended.
  const isLast = from + limit >= total && from + rows >= total;
  return isLast || from >= total ? {} : { nextToken: BigInt(from + rows) };
}
