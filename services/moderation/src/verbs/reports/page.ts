import type { Collection, Doc, Filter, Sort } from '@steward/store';

/** How many rows a page has when the caller does not say. */
const DEFAULT_LIMIT = 100;

/** The longest page; `next_token` says where it goes on. */
const MAX_LIMIT = 10_000;

/** About as many bytes as the texts of a page have at most: a message between services holds twice as many. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** The parameters of a list. */
interface Asked {
  readonly from?: bigint | undefined;
  readonly limit?: bigint | undefined;
  readonly dir?: string | undefined;
}

/** Which part of a list is meant, and in which direction it goes. */
export interface Window {
  readonly from: number;
  readonly limit: number;
  readonly direction: 1 | -1;
}

/** Reads the parameters of a list: the newest first by default. */
export function windowOf({ from = 0n, limit = BigInt(DEFAULT_LIMIT), dir }: Asked): Window {
  return {
    from: clampToSafe(from),
    limit: Math.min(clampToSafe(limit), MAX_LIMIT),
    direction: dir === 'f' ? 1 : -1,
  };
}

/** Row numbers are 64-bit; beyond the safe integers there are no rows, so nothing is lost. */
function clampToSafe(value: bigint): number {
  const max = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(value > max ? max : value);
}

/** What lists show of a report beside ids. */
interface Row extends Doc {
  readonly received_ts: number;
  readonly reason: string | null;
}

/** A page of reports, and how many there are in all. */
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
  // What ends on its first page has been counted by reading it.
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

/** As many rows from the start as make a page: all of them, unless their comments are too long together. */
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

/** Where the page after one with so many rows starts, if there is one. */
export function nextToken({ from, limit }: Window, rows: number, total: number): { nextToken?: bigint } {
  // A page that was cut short goes on where it ended.
  const isLast = from + limit >= total && from + rows >= total;
  return isLast || from >= total ? {} : { nextToken: BigInt(from + rows) };
}
