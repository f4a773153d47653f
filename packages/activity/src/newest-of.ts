import type { Collection, Doc, Filter, Projection, Sort } from '@steward/store';
import type { ActivityPage, PlacedEntry } from './stream.ts';

/** Which documents are the entries of a stream. */
export interface EntryDocuments<T extends Doc> {
  /** Equalities, which are the first keys of an index. */
  readonly filter: Filter<T>;
  /** The next key of the index: the time of an entry. */
  readonly time: keyof T & string;
  /** The order of the ids of one time, in which the index serves them: 1 if it descends by time, -1 if it ascends. */
  readonly ties: 1 | -1;
  readonly projection?: Projection<T>;
  readonly entry: (document: T) => PlacedEntry['entry'];
}

/** Reads the newest entries of a page from an index that has equalities, the time and the id as its keys. */
export async function newestOf<T extends Doc>(
  collection: Pick<Collection<T>, 'find'>,
  { until, after, limit }: ActivityPage,
  { filter, time, ties, projection, entry }: EntryDocuments<T>,
): Promise<readonly PlacedEntry[]> {
  const sort = { [time]: -1, _id: ties } as unknown as Sort<T>;
  const found = collection.find({ ...filter, ...rangeOf(time, ties, until, after) } as Filter<T>, {
    sort,
    limit,
    ...(projection === undefined ? {} : { projection }),
  });
  return (await found.toArray()).map((document) => ({
    place: { ts: document[time] as number, id: document._id },
    entry: entry(document),
  }));
}

function rangeOf(time: string, ties: 1 | -1, until: number, after: ActivityPage['after']): object {
  if (after === undefined) return { [time]: { $lte: until } };
  const { ts, id } = after;
  return {
    [time]: { $lte: ts },
    $or: [{ [time]: { $lt: ts } }, { _id: ties === 1 ? { $gt: id } : { $lt: id } }],
  };
}
