import { Conflict, NOT_FLUSHED } from '@steward/store';
import { loadRoom } from '../aggregate/load-room.ts';
import { removeEntries } from '../aggregate/remove-entries.ts';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { originalEvent } from '../model/event-form.ts';
import type { Room } from '../model/room.ts';
import type { SearchEntry } from '../model/search-entry.ts';
import { entryWordsOf } from '../model/search-words.ts';
import { eventPages } from '../reading/event-pages.ts';

/** Events that are read and indexed together. */
const PAGE = 250;

/** How many events one search indexes before it answers: some seconds of work. */
export const MAX_FILLED = 10_000;

/** Rooms that are looked up together. */
const BATCH = 200;

/**
 * Indexes what rooms have received since they were searched last, from the beginning of a room that is searched for the first
 * time. Sending a message thus costs nothing for the search. Processes can fill the index of a room at the same time, and end at
 * any moment: the position of a room moves after its entries are stored, and storing them again changes nothing.
 *
 * @returns whether the index has all events of the rooms; otherwise a further call continues
 */
export async function fillIndex(
  deps: Deps,
  roomIds: readonly string[],
  limit = MAX_FILLED,
): Promise<boolean> {
  let left = limit;
  for (let start = 0; start < roomIds.length; start += BATCH) {
    for (const [roomId, position] of await behind(deps, roomIds.slice(start, start + BATCH))) {
      if (left <= 0) return false;
      const filled = await fillRoom(deps, roomId, { position, limit: left });
      if (!filled.isComplete) return false;
      left -= filled.read;
    }
  }
  return true;
}

/** The rooms with events that are not indexed, and up to where they are. */
async function behind(deps: Deps, roomIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const chosen = { _id: { $in: roomIds } };
  const [rooms, positions] = await Promise.all([
    deps.rooms.find(chosen, { projection: { arrival: 1, encrypted_at: 1 } }).toArray(),
    deps.searchPositions.find(chosen).toArray(),
  ]);
  const known = new Map(positions.map(({ _id, arrival }) => [_id, arrival]));
  const found = rooms.map((room) => ({ room, position: known.get(room._id) ?? 0 }));
  return new Map(
    found
      .filter(({ room, position }) => position < endOf(room))
      .map(({ room, position }) => [room._id, position]),
  );
}

/** The arrival of the last event to index: in an encrypted room of the event that made it encrypted. */
function endOf({ arrival, encrypted_at = arrival }: Pick<Room, 'arrival' | 'encrypted_at'>): number {
  return encrypted_at;
}

interface Range {
  readonly position: number;
  /** The most events to read. */
  readonly limit: number;
}

async function fillRoom(deps: Deps, roomId: string, range: Range) {
  await removeAbandoned(deps, roomId, range.position);
  const filled = await fillRange(deps, roomId, range);
  // The room may have been deleted, and its position removed, before the position moved.
  if (!(await deps.rooms.findOne({ _id: roomId }, { projection: { _id: 1 } })))
    await deps.searchPositions.deleteOne({ _id: roomId });
  return filled;
}

async function fillRange(deps: Deps, roomId: string, { position, limit }: Range) {
  const room = await loadRoom(deps, roomId);
  const end = room ? endOf(room) : 0;
  let read = 0;
  const range = { after: position, until: end, size: PAGE };
  for await (const { events, upTo } of eventPages(deps, roomId, range)) {
    const newest_ts = await indexPage(deps, roomId, events);
    await deps.searchPositions.updateOne(
      { _id: roomId },
      { $max: { arrival: upTo, newest_ts } },
      { ...NOT_FLUSHED, upsert: true },
    );
    read += events.length;
    if (read >= limit) return { read, isComplete: upTo >= end };
  }
  return { read, isComplete: true };
}

/**
 * Removes entries that a process stored before it ended, and whose events were purged since: they are behind the position, and
 * their events are not read again.
 */
async function removeAbandoned(deps: Deps, roomId: string, position: number): Promise<void> {
  const entries = await deps.searchEntries
    .find(
      { room_id: roomId, arrival: { $gt: position } },
      { sort: { arrival: 1 }, projection: { _id: 1 }, limit: PAGE },
    )
    .toArray();
  await removeEntries(deps, roomId, await endedOf(deps, entries));
}

/**
 * Stores the entries of events of a room, and removes those that the redactions among them end.
 *
 * @returns the latest `received_ts` of the entries; 0 for none
 */
async function indexPage(deps: Deps, roomId: string, page: readonly EventDocument[]): Promise<number> {
  const entries = page.flatMap(entriesOf);
  if (entries.length > 0) {
    await deps.searchEntries
      .insertMany(entries, { ...NOT_FLUSHED, ordered: false })
      .catch((error: unknown) => {
        // An entry that exists is the same.
        if (!(error instanceof Conflict)) throw error;
      });
  }
  const redacted = page.flatMap(({ redacts }) => redacts ?? []);
  await removeEntries(deps, roomId, [...redacted, ...(await endedOf(deps, entries))]);
  return Math.max(0, ...entries.map(({ received_ts }) => received_ts));
}

function entriesOf(document: EventDocument): SearchEntry[] {
  const { _id, room_id, type, received_ts, arrival = 0, redacted_by } = document;
  const words = redacted_by === undefined ? entryWordsOf(originalEvent(document).event) : [];
  return words.length === 0 ? [] : [{ _id, room_id, type, received_ts, arrival, words }];
}

/** Those whose events were removed or redacted while their entries were stored. */
async function endedOf(deps: Deps, entries: readonly Pick<SearchEntry, '_id'>[]): Promise<readonly string[]> {
  if (entries.length === 0) return [];
  const ids = entries.map(({ _id }) => _id);
  const present = { _id: { $in: ids }, redacted_by: null };
  const left = await deps.events.find(present, { projection: { _id: 1 } }).toArray();
  const kept = new Set(left.map(({ _id }) => _id));
  return ids.filter((id) => !kept.has(id));
}
