import type { Deps } from '../deps.ts';
import type { Known } from '../model/cursor.ts';
import { eventIdOf } from '../model/state-document.ts';
import type { FollowedRoom } from './followed-rooms.ts';
import { encryptedRoomsOf, forShared } from './shares-encryption.ts';

/** The most members, or changes of members, that are read of a room; as many as a response has of its state. */
const MAX_MEMBERS = 50_000;

/** Events that are read with one query. */
const PAGE = 500;

const MEMBER = 'm.room.member';

/** The users whose devices have changed for a client. */
export interface DeviceLists {
  readonly changed: readonly string[];
  readonly left: readonly string[];
}

/** No changes. */
export const NO_CHANGES: DeviceLists = { changed: [], left: [] };

/** What may have changed for a client. */
export interface DeviceListRequest {
  readonly userId: string;
  /** What the client knows of rooms. */
  readonly known: ReadonlyMap<string, Known>;
  readonly rooms: readonly FollowedRoom[];
  /** The users whose keys have changed, whether they share a room or not. */
  readonly changedKeysOf: readonly string[];
}

/**
 * The users whose devices a client must look up again: those who share an encrypted room with its user, and whose keys have
 * changed or who did not share one before; and those who no longer share one.
 */
export async function deviceListChanges(
  deps: Pick<Deps, 'members' | 'rooms' | 'states' | 'events'>,
  { userId, known, rooms, changedKeysOf }: DeviceListRequest,
): Promise<DeviceLists> {
  /** Who may have come or gone, and whether they shared an encrypted room before. */
  const before = new Map<string, boolean>();
  const keyed = new Set(changedKeysOf);
  for (const room of rooms) await collect(deps, room, before);
  before.delete(userId);
  const candidates = new Set([...before.keys(), ...keyed]);
  candidates.delete(userId);
  const shared = new Set<string>();
  if (candidates.size > 0) {
    const began = new Set(rooms.flatMap(({ roomId, all }) => (all === 'began' ? [roomId] : [])));
    await forShared(deps, [...candidates], await encryptedRoomsOf(deps, userId), (other, roomId, arrival) => {
      shared.add(other);
      const knows = known.get(roomId);
      const isOld = knows?.membership === 'join' && arrival <= knows.arrival && !began.has(roomId);
      if (isOld && before.has(other)) before.set(other, true);
    });
  }
  const changed = [...candidates].filter(
    (other) => shared.has(other) && (keyed.has(other) || before.get(other) === false),
  );
  const left = [...before].flatMap(([other, was]) => (was && !shared.has(other) ? [other] : []));
  return { changed: keyed.has(userId) ? [userId, ...changed] : changed, left };
}

async function collect(
  deps: Pick<Deps, 'members' | 'states' | 'events'>,
  { roomId, all, moved }: FollowedRoom,
  before: Map<string, boolean>,
): Promise<void> {
  const note = (other: string, was: boolean) => before.set(other, was || (before.get(other) ?? false));
  const movers = moved ? await membershipsBefore(deps, roomId, moved) : new Map<string, boolean>();
  for (const [other, was] of movers) note(other, was);
  if (!all) return;
  const members = deps.members.find(
    { room_id: roomId, membership: 'join' },
    { projection: { user_id: 1 }, limit: MAX_MEMBERS },
  );
  for await (const { user_id: other } of members) note(other, movers.get(other) ?? all === 'ended');
}

/** Whether each user whose membership has changed between two arrivals was joined before. */
async function membershipsBefore(
  deps: Pick<Deps, 'states' | 'events'>,
  roomId: string,
  { after, until }: NonNullable<FollowedRoom['moved']>,
): Promise<Map<string, boolean>> {
  const changes: string[] = [];
  // Without the type, so that engines read the changes only, in order.
  const intervals = deps.states.find(
    { room_id: roomId, from: { $gt: after, $lte: until } },
    { projection: { type: 1 }, sort: { from: 1 }, limit: MAX_MEMBERS },
  );
  for await (const interval of intervals) if (interval.type === MEMBER) changes.push(eventIdOf(interval));
  const joined = new Map<string, boolean>();
  for (let from = 0; from < changes.length; from += PAGE) {
    const ids = changes.slice(from, from + PAGE);
    const events = await deps.events
      .find({ _id: { $in: ids } }, { projection: { state_key: 1, previous_membership: 1, arrival: 1 } })
      .toArray();
    for (const { state_key: other, previous_membership } of events.sort(byArrival)) {
      if (other !== undefined && !joined.has(other)) joined.set(other, previous_membership === 'join');
    }
  }
  return joined;
}

function byArrival(a: { readonly arrival?: number }, b: { readonly arrival?: number }): number {
  return (a.arrival ?? 0) - (b.arrival ?? 0);
}
