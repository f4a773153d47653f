import type { Collection, Doc, Filter, FindOptions, Projection, Sort } from '@steward/store';
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
 * read, however many there are. Of several states only the index is read, and then the documents of the page.
 */
export async function mergedPage<T extends Doc & { readonly state: string }>(
  collection: Collection<T>,
  states: readonly T['state'][],
  wanted: Wanted<T>,
): Promise<Page<T>> {
  const { direction, filter, key } = wanted;
  const of = (state: string): Wanted<T> => ({ ...wanted, filter: { ...filter, state } as Filter<T> });
  const [only] = states;
  if (only !== undefined && states.length === 1) return pageOf(collection, of(only));
  const projection = { [key]: 1 } as object as Projection<T>;
  const found = await Promise.all(states.map((state) => rowsOf(collection, of(state), { projection })));
  const orderOf = (row: T) => Number(row[key]);
  const inOrder = (a: T, b: T) =>
    direction * (orderOf(a) - orderOf(b) || (a._id < b._id ? -1 : a._id > b._id ? 1 : 0));
  const { rows, ...next } = cut(found.flat().sort(inOrder), wanted);
  return { ...next, rows: await documentsOf(collection, rows, states) };
}

/**
 * Reads the documents of rows of an index. One that was deleted or decided since the index was read is left out, as if it had been
 * before.
 */
export async function documentsOf<T extends Doc & { readonly state: string }>(
  collection: Collection<T>,
  rows: readonly Pick<T, '_id'>[],
  states: readonly T['state'][],
): Promise<readonly T[]> {
  const ids = rows.map(({ _id }) => _id);
  if (ids.length === 0) return [];
  const documents = await collection.find({ _id: { $in: ids } } as object as Filter<T>).toArray();
  const byId = new Map(documents.map((document) => [document._id, document]));
  return ids.flatMap((id) => byId.get(id) ?? []).filter(({ state }) => states.includes(state));
}

/** One row more than the page, which shows whether another page follows. */
async function rowsOf<T extends Doc>(
  collection: Collection<T>,
  { filter, key, direction, after, limit }: Wanted<T>,
  options: Pick<FindOptions<T>, 'projection'> = {},
): Promise<readonly T[]> {
  if (limit === 0) return [];
  const sort = { [key]: direction, _id: direction } as object as Sort<T>;
  const rows: T[] = [];
  for (const range of after ? following(after, key, direction) : [{}]) {
    const left = limit + 1 - rows.length;
    if (left === 0) break;
    const found = collection.find({ ...filter, $and: [range] } as Filter<T>, {
      ...options,
      sort,
      limit: left,
    });
    rows.push(...(await found.toArray()));
  }
  return rows;
}

function cut<T extends Doc>(rows: readonly T[], { key, limit }: Wanted<T>): Page<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || !last) return { rows: page };
  return { rows: page, nextToken: toToken({ value: Number(last[key]), id: last._id }, key) };
}

/**
 * What follows a place in the order by a field: the rest of the ties, then all beyond them. Each is a range of an index, which a
 * condition for both is not.
 */
export function following({ value, id }: Place, key: string, direction: 1 | -1): readonly object[] {
  const beyond = direction === 1 ? '$gt' : '$lt';
  return [{ [key]: value, _id: { [beyond]: id } }, { [key]: { [beyond]: value } }];
}
