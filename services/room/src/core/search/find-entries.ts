import type { Deps } from '../deps.ts';
import type { SearchEntry, SearchPosition } from '../model/search-entry.ts';

/** Positions that are read together. */
const BATCH = 200;

/** Rooms that are looked through at the same time. */
const AT_ONCE = 8;

/** The place of an event in the order of results: by its time, then by its arrival in its room. */
export interface ResultPosition {
  readonly ts: number;
  readonly arrival: number;
  readonly id: string;
}

/** An entry that was found. */
export type FoundEntry = Pick<SearchEntry, '_id' | 'received_ts' | 'arrival'>;

/** Which entries to find. */
export interface EntryQuery {
  readonly rooms: readonly string[];
  /** The types of events; all that are searched unless given. */
  readonly types: readonly string[] | undefined;
  /** All of which an entry has. */
  readonly words: readonly string[];
  /** The position after which the entries come; from the newest on unless given. */
  readonly after: ResultPosition | undefined;
  readonly limit: number;
}

/**
 * Finds the newest entries with some words. It reads from each room what an index by room and word has, those with the newest
 * messages first, and stops when the other rooms have none that are as new.
 */
export async function findEntries(deps: Deps, query: EntryQuery): Promise<readonly FoundEntry[]> {
  const { words, limit } = query;
  if (words.length === 0) return [];
  let found: readonly FoundEntry[] = [];
  const rooms = await roomsWithEntries(deps, query.rooms);
  for (let start = 0; start < rooms.length; start += AT_ONCE) {
    const some = rooms.slice(start, start + AT_ONCE);
    const last = found[limit - 1];
    if (last && (some[0]?.newest_ts ?? 0) < last.received_ts) break;
    const pages = await Promise.all(some.map(({ _id }) => ofRoom(deps, _id, query)));
    found = [...found, ...pages.flat()].sort(newestFirst).slice(0, limit);
  }
  return found;
}

/** The rooms that have entries, those with the newest first. */
async function roomsWithEntries(deps: Deps, roomIds: readonly string[]): Promise<readonly SearchPosition[]> {
  const found: SearchPosition[] = [];
  for (let start = 0; start < roomIds.length; start += BATCH) {
    const chosen = { _id: { $in: roomIds.slice(start, start + BATCH) } };
    found.push(...(await deps.searchPositions.find(chosen).toArray()));
  }
  return found.filter(({ newest_ts }) => newest_ts > 0).sort((a, b) => b.newest_ts - a.newest_ts);
}

function ofRoom(
  deps: Deps,
  roomId: string,
  { words, types, after, limit }: EntryQuery,
): Promise<readonly FoundEntry[]> {
  // Long words are rarer: the index finds the entries of the first one.
  const byLength = words.toSorted((a, b) => b.length - a.length);
  const conditions = [...byLength.map((word) => ({ words: word })), ...(after ? [beyond(after)] : [])];
  return deps.searchEntries
    .find(
      { room_id: roomId, ...(types ? { type: { $in: types } } : {}), $and: conditions },
      {
        sort: { received_ts: -1, arrival: -1, _id: -1 },
        projection: { received_ts: 1, arrival: 1 },
        limit,
      },
    )
    .toArray();
}

/** What comes after a position, newest first. */
function beyond({ ts, arrival, id }: ResultPosition) {
  return {
    $or: [
      { received_ts: { $lt: ts } },
      { received_ts: ts, arrival: { $lt: arrival } },
      { received_ts: ts, arrival, _id: { $lt: id } },
    ],
  };
}

function newestFirst(a: FoundEntry, b: FoundEntry): number {
  return b.received_ts - a.received_ts || b.arrival - a.arrival || (a._id < b._id ? 1 : -1);
}
