import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import type { Room } from '../../core/model/room.ts';
import type { DirectoryCursor } from './directory-cursor.ts';

/** The most rooms of a page. */
export const MAX_PAGE = 1_000;

/** The most rooms that are read for one page; the next page continues from there. */
const MAX_READ = 5_000;

/** Rooms that are read with one query. */
const BATCH = 250;

/** The fields of a room that the directory shows. */
export type ListedRoom = Pick<
  Room,
  | '_id'
  | 'joined_members'
  | 'history_visibility'
  | 'guest_access'
  | 'join_rules'
  | 'name'
  | 'topic'
  | 'canonical_alias'
  | 'avatar'
  | 'room_type'
>;

const FIELDS = {
  joined_members: 1,
  history_visibility: 1,
  guest_access: 1,
  join_rules: 1,
  name: 1,
  topic: 1,
  canonical_alias: 1,
  avatar: 1,
  room_type: 1,
} as const;

/** A query of the directory. */
export interface PublicRoomQuery {
  /** The position to begin at; the largest room unless given. */
  readonly since: DirectoryCursor | undefined;
  /** The most rooms of the page, from 1 to `MAX_PAGE`. */
  readonly limit: number;
  /** Text in lower case that the name, topic or alias must contain. */
  readonly term?: string | undefined;
  /** Only rooms of these types, null for rooms without one. */
  readonly types?: ReadonlySet<string | null> | undefined;
}

/** A page of the directory. */
export interface PublicRoomPage {
  /** The largest first. */
  readonly rooms: readonly ListedRoom[];
  /** The cursors of the adjacent pages; absent at the ends of the directory. */
  readonly next: DirectoryCursor | undefined;
  readonly previous: DirectoryCursor | undefined;
}

/** The join rules under which users without an invitation may join or knock. */
const OPEN_RULES: ReadonlySet<string | null> = new Set(['public', 'knock', 'knock_restricted']);

/**
 * A page of the listed rooms that users without an invitation can join, knock at or read, the largest first, ties by
 * room id (client-plane.md 7.11). A page may have fewer rooms than the limit, or none, although another page follows.
 */
export async function findPublicRooms(
  deps: Pick<Deps, 'rooms'>,
  query: PublicRoomQuery,
): Promise<PublicRoomPage> {
  const { since, limit } = query;
  const direction = since?.direction ?? 'f';
  const step = direction === 'f' ? 1 : -1;
  const found: ListedRoom[] = [];
  let cursor = since;
  let read = 0;
  let hasMore = true;
  while (hasMore && found.length <= limit && read < MAX_READ) {
    const batch = await deps.rooms
      .find(
        { public: true, ...(cursor ? beyond(cursor) : {}) },
        { sort: { joined_members: step === 1 ? -1 : 1, _id: step }, limit: BATCH, projection: FIELDS },
      )
      .toArray();
    read += batch.length;
    hasMore = batch.length === BATCH;
    const last = batch.at(-1);
    if (last) cursor = cursorOf(last, direction);
    found.push(...batch.filter((room) => matchesQuery(room, query)));
  }
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  const onward = last ? cursorOf(last, direction) : hasMore ? cursor : undefined;
  const [first] = shown;
  const backward =
    since && (first ? cursorOf(first, opposite(direction)) : { ...since, direction: opposite(direction) });
  return direction === 'f'
    ? { rooms: shown, next: onward, previous: backward }
    : { rooms: shown.toReversed(), next: backward, previous: onward };
}

function matchesQuery(room: ListedRoom, { term, types }: PublicRoomQuery): boolean {
  if (!OPEN_RULES.has(room.join_rules) && room.history_visibility !== 'world_readable') return false;
  if (types && !types.has(room.room_type)) return false;
  if (term === undefined || term === '') return true;
  return [room.name, room.topic, room.canonical_alias].some((text) => text?.toLowerCase().includes(term));
}

function cursorOf(
  { _id, joined_members }: ListedRoom,
  direction: DirectoryCursor['direction'],
): DirectoryCursor {
  return { direction, joinedMembers: joined_members, roomId: _id };
}

function opposite(direction: DirectoryCursor['direction']): DirectoryCursor['direction'] {
  return direction === 'f' ? 'b' : 'f';
}

function beyond({ direction, joinedMembers: n, roomId }: DirectoryCursor): Filter<Room> {
  return direction === 'f'
    ? { joined_members: { $lte: n }, $or: [{ joined_members: { $lt: n } }, { _id: { $gt: roomId } }] }
    : { joined_members: { $gte: n }, $or: [{ joined_members: { $gt: n } }, { _id: { $lt: roomId } }] };
}
