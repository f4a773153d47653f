import { CLOCK_SKEW_MS } from '../../core/cursors/cursors.ts';
import type { Deps } from '../../core/deps.ts';
import type { Cursor, Known } from '../../core/model/cursor.ts';
import { PRESENT } from '../../core/model/member.ts';
import { firstEpochAt } from '../../core/model/membership-epochs.ts';
import { matchesRoom } from '../../core/protocol/mod.ts';
import type { Viewer } from './read-room.ts';

/** Rooms that are read with one query. */
const ROOMS_PER_QUERY = 500;

/** The most ended invitations that a request for all state looks for, the latest. */
const MAX_ENDED_INVITATIONS = 500;

/** The rooms of a user that may have changed for a client. */
export interface ChangedRooms {
  /** The rooms, ordered by how much of a response they take up, the least first. */
  readonly changed: readonly string[];
  /** Rooms that the user has recently left, and that a first sync omits. */
  readonly omitted: ReadonlyMap<string, Known>;
}

/** Finds the rooms that may have changed for a client; unchanged rooms take no queries of their own. */
export async function findChangedRooms(
  deps: Deps,
  { caller: { userId }, filter, fullState }: Viewer,
  cursor: Cursor,
): Promise<ChangedRooms> {
  const matchesFilter = (roomId: string) => matchesRoom(filter.room, roomId);
  const present = new Set<string>();
  const small: string[] = [];
  const joined: string[] = [];
  const added: string[] = [];
  // In an order, as all lists of this file that each sync reads: the embedded engine keeps lists until one of their members changes.
  const memberships = deps.members.find(
    { user_id: userId, membership: { $in: PRESENT } },
    { projection: { room_id: 1, membership: 1, arrival: 1 }, sort: { membership: 1 } },
  );
  for await (const { room_id: roomId, membership, arrival } of memberships) {
    present.add(roomId);
    if (!matchesFilter(roomId)) continue;
    const known = cursor.rooms.get(roomId);
    if (membership !== known?.membership) (membership === 'join' ? added : small).push(roomId);
    else if (membership === 'join') joined.push(roomId);
    else if (arrival > known.arrival) small.push(roomId);
  }
  for (const [roomId, { membership }] of cursor.rooms) {
    if (membership !== 'leave' && !present.has(roomId) && matchesFilter(roomId)) small.push(roomId);
  }
  if (fullState && cursor.stored) {
    for await (const roomId of endedInvitations(deps, userId, cursor.stored.created_ts - CLOCK_SKEW_MS)) {
      if (!present.has(roomId) && !cursor.rooms.has(roomId) && matchesFilter(roomId)) small.push(roomId);
    }
  }
  const left = await findLeftRooms(deps, userId, cursor, filter.includeLeave);
  const isSent = cursor.stored !== undefined || filter.includeLeave;
  if (isSent) added.push(...[...left.keys()].filter(matchesFilter));
  const moved = fullState ? joined : await findMovedRooms(deps, joined, cursor);
  return { changed: [...small, ...moved, ...added], omitted: isSent ? new Map() : left };
}

/**
 * Rooms to which the user was invited, or on which they knocked, without joining, and where that ended since a time. A client
 * that knew nothing of it receives the end only with all state.
 */
async function* endedInvitations(
  deps: Pick<Deps, 'events'>,
  userId: string,
  sinceMs: number,
): AsyncGenerator<string> {
  const ended = deps.events.find(
    {
      state_key: userId,
      received_ts: { $gte: sinceMs },
      previous_membership: { $in: ['invite', 'knock'] },
      arrival: { $gte: 1 },
    },
    { projection: { room_id: 1 }, sort: { received_ts: -1 }, limit: MAX_ENDED_INVITATIONS },
  );
  const seen = new Set<string>();
  for await (const { room_id: roomId } of ended) {
    if (!seen.has(roomId)) yield roomId;
    seen.add(roomId);
  }
}

/** The rooms among those that a client knows as joined in which events have arrived since, and those that were purged. */
export async function findMovedRooms(
  deps: Pick<Deps, 'rooms'>,
  roomIds: readonly string[],
  cursor: Cursor,
): Promise<readonly string[]> {
  const moved = new Set(roomIds);
  for (let from = 0; from < roomIds.length; from += ROOMS_PER_QUERY) {
    const rooms = deps.rooms.find(
      { _id: { $in: roomIds.slice(from, from + ROOMS_PER_QUERY) } },
      { projection: { arrival: 1 } },
    );
    for await (const { _id, arrival } of rooms) {
      if (arrival <= (cursor.rooms.get(_id)?.arrival ?? 0)) moved.delete(_id);
    }
  }
  return [...moved];
}

/**
 * Rooms that the user has left, and of which the client has not received the end of the last membership epoch. A
 * first sync includes all of them, if the filter says so.
 */
async function findLeftRooms(
  deps: Pick<Deps, 'members' | 'clock'>,
  userId: string,
  cursor: Cursor,
  includeLeave: boolean,
): Promise<ReadonlyMap<string, Known>> {
  const since = (cursor.stored?.created_ts ?? deps.clock.now()) - CLOCK_SKEW_MS;
  const isAll = cursor.stored === undefined && includeLeave;
  const members = deps.members.find(
    {
      user_id: userId,
      membership: { $in: ['leave', 'ban'] },
      ...(isAll ? {} : { stay: { $gte: firstEpochAt(since) } }),
    },
    { projection: { room_id: 1, arrival: 1, stay: 1, forgotten: 1 }, sort: { membership: 1, stay: 1 } },
  );
  const left = new Map<string, Known>();
  for await (const { room_id: roomId, arrival, stay, forgotten } of members) {
    if (forgotten) continue;
    const known = cursor.rooms.get(roomId);
    const isSent = known !== undefined && (known.membership !== 'leave' || known.arrival >= arrival);
    if (!isSent) left.set(roomId, { membership: 'leave', arrival, stay });
  }
  return left;
}
