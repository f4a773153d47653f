import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import { eventIdOf, type StateDocument } from '../../core/model/state-document.ts';
import type { EventFilter } from '../../core/protocol/mod.ts';
import { type ClientOptions, toClientEvents } from '../../core/reading/client-events.ts';
import { loadEvents } from '../../core/reading/load-events.ts';
import { membersOfSenders } from '../../core/reading/members-of-senders.ts';
import type { ReadAccess } from '../../core/visibility/read-access.ts';
import { matchingEvents } from '../../core/visibility/select-events.ts';

/** State events that are read with one query. */
const PAGE = 100;

/** The most bytes of a room's state in a response; state beyond that is omitted, members first. */
const MAX_BYTES = 6 * 1024 * 1024;

/** The most members that are collected; fewer than these fit in a response. */
const MAX_MEMBERS = 50_000;

const MEMBER = 'm.room.member';

/** Which part of a room's state a client needs. */
export interface StateRequest {
  /** The arrival up to which the client knows the state; 0 if it knows none. */
  readonly known: number;
  /** The arrival after which the timeline contains every visible event. */
  readonly start: number;
  /** The ids of the events of the timeline. */
  readonly shown: ReadonlySet<string>;
  /** The users whose member events are sent where members are loaded lazily. */
  readonly lazyMembers: readonly string[];
  readonly filter: EventFilter;
  readonly options: ClientOptions;
}

/** The state events of a response. */
export interface StateChanges {
  readonly documents: readonly Pick<EventDocument, 'type'>[];
  /** The client form of the events, as JSON text. */
  readonly events: readonly string[];
}

/**
 * The state from which, together with the events of the timeline, a client derives the state at the end of the timeline
 * (client-plane.md 10.2): the state before the timeline, and changes within it by events that it does not contain.
 */
export async function readState(
  deps: Deps,
  { roomId, arrival: end }: ReadAccess,
  { known, start, shown, lazyMembers, filter, options }: StateRequest,
): Promise<StateChanges> {
  const sent = new Set(shown);
  const documents: Pick<EventDocument, 'type'>[] = [];
  const events: string[] = [];
  let bytes = 0;
  const send = async (found: readonly EventDocument[]) => {
    const fresh = found.filter(({ _id }) => !sent.has(_id));
    for (const { _id } of fresh) sent.add(_id);
    const matching = await matchingEvents(deps, fresh, filter);
    const texts = await toClientEvents(deps, matching, options);
    for (const [index, text] of texts.entries()) {
      bytes += Buffer.byteLength(text);
      if (bytes > MAX_BYTES) return;
      documents.push({ type: matching[index]?.type ?? '' });
      events.push(text);
    }
  };
  const load = async (ids: readonly string[]) => {
    for (let from = 0; from < ids.length && bytes <= MAX_BYTES; from += PAGE) {
      await send(await loadEvents(deps, ids.slice(from, from + PAGE)));
    }
  };
  const members: string[] = [];
  const change = async (before: number, arrival: number) => {
    let ids: string[] = [];
    const intervals = deps.states.find(
      {
        ...changedSince(roomId, before, arrival),
        ...(filter.lazyLoadMembers ? { type: { $ne: MEMBER } } : {}),
      },
      // In an order, because all who wait in the room ask the same when a message arrives: the embedded engine keeps lists.
      { projection: { type: 1, until: 1 }, ...(before === 0 ? {} : { sort: { from: 1 } }) },
    );
    for await (const interval of intervals) {
      const { type, until } = interval;
      if (until <= arrival) continue;
      if (type !== MEMBER) ids.push(eventIdOf(interval));
      else if (members.length < MAX_MEMBERS) members.push(eventIdOf(interval));
      if (ids.length < PAGE) continue;
      await load(ids);
      ids = [];
    }
    await load(ids);
  };
  if (start > known) await change(known, start);
  if (end > start) await change(start, end);
  await load(members);
  if (filter.lazyLoadMembers) {
    for (const arrival of new Set([start, end])) {
      await send(await membersOfSenders(deps, { roomId, arrival }, lazyMembers));
    }
  }
  return { documents, events };
}

/** Selects the intervals that began after one arrival and include another; also selects some that ended earlier. */
function changedSince(roomId: string, before: number, arrival: number): Filter<StateDocument> {
  // Each variant uses the index that reads the fewest entries for it.
  return before === 0
    ? { room_id: roomId, from: { $lte: arrival }, until: { $gt: arrival } }
    : { room_id: roomId, from: { $gt: before, $lte: arrival } };
}
