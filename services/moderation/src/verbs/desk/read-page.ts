import type { Collection, Doc, Filter, Sort } from '@steward/store';
import { type Place, toToken } from './page-token.ts';

/** Which rows of a list are wanted, and in which order. */
export interface Wanted<T extends Doc> {
  readonly filter: Filter<T>;
  /** The field of numbers that the order is by; ties are by id. */
  readonly key: keyof T & string;
  readonly direction: 1 | -1;
  /** The place after which the page begins; undefined for the first page. */
  readonly after: Place | undefined;
  readonly limit: number;
}

/** A page of a list. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** The token of the next page; absent on the last one. */
  readonly nextToken?: string;
}

/** Reads a page: one range of an index. */
export async function pageOf<T extends Doc>(collection: Collection<T>, wanted: Wanted<T>): Promise<Page<T>> {
  return cut(await rowsOf(collection, wanted), wanted);
}

/**
 * Reads a page of the rows in some states: one range of an index for each state, and merges them. So no row of another state is
 * read, however many there are.
 */
export async function mergedPage<T extends Doc>(
  collection: Collection<T>,
  states: readonly string[],
  wanted: Wanted<T>,
): Promise<Page<T>> {
  const { direction, filter, key } = wanted;
  const found = await Promise.all(
    states.map((state) => rowsOf(collection, { ...wanted, filter: { ...filter, state } as Filter<T> })),
  );
  const orderOf = (row: T) => Number(row[key]);
  const inOrder = (a: T, b: T) =>
    direction * (orderOf(a) - orderOf(b) || (a._id < b._id ? -1 : a._id > b._id ? 1 : 0));
  return cut(found.flat().sort(inOrder), wanted);
}

/** One row more than the page, which shows whether another page follows. */
async function rowsOf<T extends Doc>(
  collection: Collection<T>,
  { filter, key, direction, after, limit }: Wanted<T>,
): Promise<readonly T[]> {
  if (limit === 0) return [];
  const sort = { [key]: direction, _id: direction } as object as Sort<T>;
  const beyond = after ? { $and: [following(after, key, direction)] } : {};
  return collection.find({ ...filter, ...beyond } as Filter<T>, { sort, limit: limit + 1 }).toArray();
}

function cut<T extends Doc>(rows: readonly T[], { key, limit }: Wanted<T>): Page<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || !last) return { rows: page };
  return { rows: page, nextToken: toToken({ value: Number(last[key]), id: last._id }, key) };
}

/** The condition on what follows a place in the order by a field. */
export function following({ value, id }: Place, key: string, direction: 1 | -1): object {
  const [beyond, from] = direction === 1 ? (['$gt', '$gte'] as const) : (['$lt', '$lte'] as const);
  const ties = { $or: [{ [key]: { [beyond]: value } }, { _id: { [beyond]: id } }] };
  return { $and: [{ [key]: { [from]: value } }, ties] };
}
