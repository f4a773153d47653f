import type { Collections } from '../collections.ts';
import type { EventDocument } from '../model/event-document.ts';
import { stateKeyOf } from '../model/room-memory.ts';
import { CURRENT, eventIdOf } from '../model/state-document.ts';
import type { StateKey } from '../protocol/mod.ts';
import { loadEvents } from './load-events.ts';

/** State events of a page. */
const PAGE = 500;

/** A state of a room: the state after the event with an arrival number. The caller has loaded the room. */
export interface StatePoint {
  readonly roomId: string;
  readonly arrival: number;
}

/** The state event of a type and key at a point. */
export async function stateEventAt(
  deps: Pick<Collections, 'states' | 'events'>,
  { roomId, arrival }: StatePoint,
  type: string,
  stateKey: string,
): Promise<EventDocument | undefined> {
  const [interval] = await deps.states
    .find(
      { room_id: roomId, type, state_key: stateKey, from: { $lte: arrival }, until: { $gt: arrival } },
      { sort: { from: -1 }, limit: 1 },
    )
    .toArray();
  return (interval && (await deps.events.findOne({ _id: eventIdOf(interval) }))) ?? undefined;
}

/**
 * The existing state events of some types and keys at a point, in no particular order. Reads the intervals of every
 * combination of the types and the keys.
 */
export async function stateEventsAt(
  deps: Pick<Collections, 'states' | 'events'>,
  { roomId, arrival }: StatePoint,
  keys: readonly StateKey[],
): Promise<readonly EventDocument[]> {
  const types = { $in: [...new Set(keys.map(([type]) => type))] };
  const stateKeys = { $in: [...new Set(keys.map(([, stateKey]) => stateKey))] };
  const intervals = await deps.states
    .find(
      {
        room_id: roomId,
        type: types,
        state_key: stateKeys,
        from: { $lte: arrival },
        until: { $gt: arrival },
      },
      { projection: { type: 1, state_key: 1, from: 1 } },
    )
    .toArray();
  const requested = new Set(keys.map(([type, stateKey]) => stateKeyOf(type, stateKey)));
  const newest = new Map<string, (typeof intervals)[number]>();
  for (const interval of intervals) {
    const key = stateKeyOf(interval.type, interval.state_key);
    // While a new interval is open and the replaced one not yet closed, the later one is used.
    if (requested.has(key) && !((newest.get(key)?.from ?? 0) > interval.from)) newest.set(key, interval);
  }
  return loadEvents(deps, [...newest.values()].map(eventIdOf));
}

/** The pages of all state events at a point, or of those of one type, in no particular order. */
export async function* stateAt(
  deps: Pick<Collections, 'states' | 'events'>,
  { roomId, arrival }: StatePoint,
  type?: string,
): AsyncGenerator<readonly EventDocument[]> {
  const ids = type === undefined ? allAt(deps, { roomId, arrival }) : typeAt(deps, { roomId, arrival }, type);
  let page: string[] = [];
  for await (const id of ids) {
    page.push(id);
    if (page.length < PAGE) continue;
    yield await loadEvents(deps, page);
    page = [];
  }
  if (page.length > 0) yield await loadEvents(deps, page);
}

async function* allAt({ states }: Pick<Collections, 'states'>, { roomId, arrival }: StatePoint) {
  const open = { room_id: roomId, until: { $gt: arrival }, from: { $lte: arrival } };
  for await (const interval of states.find(open, { projection: { _id: 1 } })) yield eventIdOf(interval);
}

/** Reads the current events of the type, and the events replaced since the point, but none replaced before it. */
async function* typeAt(
  { states }: Pick<Collections, 'states'>,
  { roomId, arrival }: StatePoint,
  type: string,
) {
  const seen = new Set<string>();
  const since = { room_id: roomId, from: { $lte: arrival } };
  const projection = { type: 1 } as const;
  for await (const current of states.find({ ...since, until: CURRENT, type }, { projection })) {
    seen.add(eventIdOf(current));
    yield eventIdOf(current);
  }
  // Read last, because these include events that were replaced during the first query.
  const until = { $gt: arrival, $lt: CURRENT };
  for await (const ended of states.find({ ...since, until }, { projection })) {
    if (ended.type === type && !seen.has(eventIdOf(ended))) yield eventIdOf(ended);
  }
}
