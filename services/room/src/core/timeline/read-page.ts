import type { Filter } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { Direction, Position } from '../model/position.ts';
import type { Room } from '../model/room.ts';

/** The most events that a request reads to find matching ones. */
export const MAX_EVENTS_READ = 1_000;

/** The bytes after which no further events are read for a page; the next page continues from there. */
const MAX_BYTES_READ = 8 * 1024 * 1024;

/** The most events that are read with one query; each may have up to 64 KiB. */
const MAX_PER_QUERY = 250;

/** The fewest events that a further query reads, because most of them may not match. */
const MIN_PER_QUERY = 20;

/** The part of a room's history to read. */
export interface PageRequest {
  readonly roomId: string;
  readonly direction: Direction;
  /** The position to begin at: with the event before it or after it, by the direction. */
  readonly from: Position;
  /** The position to end at. */
  readonly to?: Position | undefined;
  /** The most events of the page, at most `MAX_EVENTS_READ`. */
  readonly limit: number;
  /** The arrival of the last event to consider. */
  readonly until: number;
  /** The beginning of the room's timeline, if events were purged. */
  readonly horizon?: Room['horizon'];
}

/** A page of a room's history. */
export interface Page<E> {
  /** In the order of the direction. */
  readonly events: readonly E[];
  /** The position at which the next page begins; absent if no event was read for this one. */
  readonly end: Position | undefined;
}

/** Selects the matching events, in their order. */
export type Select<E extends { readonly document: EventDocument }> = (
  documents: readonly EventDocument[],
) => Promise<readonly E[]>;

/** Reads all events of a part of history, including imported events that are hidden from users. */
export async function readPage(
  deps: Pick<Deps, 'events'>,
  { roomId, direction, from, to, limit, until, horizon }: PageRequest,
): Promise<readonly EventDocument[]> {
  if (limit <= 0) return [];
  const forward = direction === 'f';
  const step = forward ? 1 : -1;
  const bounds = [
    forward ? after(from) : upTo(from),
    ...(to ? [forward ? upTo(to) : after(to)] : []),
    ...(horizon ? [{ depth: { $gte: horizon.depth } }] : []),
  ];
  return deps.events
    .find(
      { room_id: roomId, arrival: { $gte: 1, $lte: until }, $and: bounds },
      { sort: { depth: step, arrival: step }, limit },
    )
    .toArray();
}

/**
 * Reads a page of the matching events. Continues reading while the page is not full, so that a filter with few matches
 * does not yield a series of empty pages, up to a limit; so a page may have fewer events than requested although more
 * follow.
 */
export async function readSelected<E extends { readonly document: EventDocument }>(
  deps: Pick<Deps, 'events'>,
  request: PageRequest,
  select: Select<E>,
): Promise<Page<E>> {
  const events: E[] = [];
  let end: Position | undefined;
  let read = 0;
  let bytes = 0;
  while (events.length < request.limit && read < MAX_EVENTS_READ && bytes < MAX_BYTES_READ) {
    const missing = request.limit - events.length;
    const count = read === 0 ? missing : Math.max(missing, MIN_PER_QUERY);
    const limit = Math.min(count, MAX_PER_QUERY, MAX_EVENTS_READ - read);
    const documents = await readPage(deps, { ...request, from: end ?? request.from, limit });
    read += documents.length;
    for (const document of documents) bytes += document.bytes;
    const selected = await select(documents);
    events.push(...selected.slice(0, missing));
    const last = selected.length > missing ? selected[missing - 1]?.document : documents.at(-1);
    if (last) end = beyond(last, request.direction);
    if (documents.length < limit) break;
  }
  return { events, end };
}

/** The position beyond an event, as seen in a direction. */
function beyond({ depth, arrival = 0 }: EventDocument, direction: Direction): Position {
  return { depth, arrival: direction === 'f' ? arrival : arrival - 1 };
}

/** The events of a room that come after a position. */
function after({ depth, arrival }: Position): Filter<EventDocument> {
  return { depth: { $gte: depth }, $or: [{ depth: { $gt: depth } }, { arrival: { $gt: arrival } }] };
}

function upTo({ depth, arrival }: Position): Filter<EventDocument> {
  return { depth: { $lte: depth }, $or: [{ depth: { $lt: depth } }, { arrival: { $lte: arrival } }] };
}
