import type { Filter } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { Direction, Position } from '../model/position.ts';
import type { Room } from '../model/room.ts';

/** Events that a request reads at most to find some that match. */
export const MAX_EVENTS_READ = 1_000;

/** Bytes after which no further events are read for a page; the next one goes on from there. */
const MAX_BYTES_READ = 8 * 1024 * 1024;

/** Events that are read together at most; each may have some 64 KiB. */
const MOST_AT_ONCE = 250;

/** Events that are read together at least where most of them may not match. */
const LEAST_AT_ONCE = 20;

/** Which part of a room's history to read. */
export interface PageRequest {
  readonly roomId: string;
  readonly direction: Direction;
  /** Where to begin: with the event before it, or the one after it. */
  readonly from: Position;
  /** Where to end at the latest. */
  readonly to?: Position | undefined;
  /** The most events of the page, at most `MAX_EVENTS_READ`. */
  readonly limit: number;
  /** Only events that had arrived with this one. */
  readonly until: number;
  /** Where the room's timeline begins, if not with its first event. */
  readonly horizon?: Room['horizon'];
}

/** A part of a room's history. */
export interface Page<E> {
  /** In the order of the direction. */
  readonly events: readonly E[];
  /** Where the next page begins; absent when no further event was read for this one. */
  readonly end: Position | undefined;
}

/** Selects the events that match, in their order. */
export type Select<E extends { readonly document: EventDocument }> = (
  documents: readonly EventDocument[],
) => Promise<readonly E[]>;

/** All events of a part of history; imported ones that no user is shown included. */
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
 * A page of the events that match. Reads on while there are too few, so that a filter with few matches does not yield
 * one empty page after the other; but only so far, so that a page may have fewer events than its limit although more
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
    const wish = read === 0 ? missing : Math.max(missing, LEAST_AT_ONCE);
    const limit = Math.min(wish, MOST_AT_ONCE, MAX_EVENTS_READ - read);
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
