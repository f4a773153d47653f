import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SyncedRoomsSchema } from '@steward/proto/steward/room/v1/sync_pb.ts';
import type { Deps } from '../../core/deps.ts';
import {
  type DeviceLists,
  deviceListChanges,
  NO_CHANGES,
} from '../../core/device-lists/device-list-changes.ts';
import type { FollowedRoom } from '../../core/device-lists/followed-rooms.ts';
import { type Cursor, type Known, NOTHING } from '../../core/model/cursor.ts';
import { matchesRoom, matchesType } from '../../core/protocol/mod.ts';
import { findJoined, type Joined } from '../../core/unread/find-joined.ts';
import type { AccountFeed } from '../../peers/account-feeds.ts';
import { findChangedRooms, findMovedRooms } from './find-changed-rooms.ts';
import { readEphemeral } from './read-ephemeral.ts';
import { type RoomRead, type RoomUpdate, readRoom, readUnchangedRoom, type Viewer } from './read-room.ts';
import { readUnread } from './read-unread.ts';

/** Rooms that are read concurrently. */
const CONCURRENT_ROOMS = 8;

/** The size of a response's rooms, in bytes, from which the remaining rooms are left to the next response. */
const TARGET_BYTES = 4 * 1024 * 1024;

type Rooms = Required<Pick<MessageInitShape<typeof SyncedRoomsSchema>, RoomUpdate['kind']>>;

/** The changes for a client, of one response. */
export interface Batch {
  /** What the client knows once it has received the batch. */
  readonly cursor: Cursor;
  readonly rooms: Rooms;
  /** The account data that belongs to no room, as JSON text. */
  readonly accountData: readonly string[];
  readonly feed: AccountFeed;
  readonly deviceLists: DeviceLists;
  readonly hasUpdates: boolean;
}

/**
 * Reads what changed for a client since a cursor. What does not fit in the response is left to the next one.
 *
 * @param only rooms that the client knows as joined, where no other room can have changed
 */
export async function readBatch(
  deps: Deps,
  viewer: Viewer,
  since: Cursor,
  only?: ReadonlySet<string>,
): Promise<Batch> {
  const { userId, deviceId } = viewer.caller;
  const { updates, followed, joined, ...read } = await readRooms(deps, viewer, since, only);
  const isNew = (roomId: string) => {
    const room = updates.get(roomId);
    return room?.kind === 'join' && (room.isNew || viewer.fullState);
  };
  const { events, known, positions } = await readEphemeral(deps, viewer, {
    before: since.rooms,
    known: read.known,
    only,
    isNew,
  });
  await addEphemeral(deps, events, updates);
  const feed = await deps.accountFeeds.read({
    userId,
    deviceId,
    since: since.accountData,
    received: since.delivery,
    keysSince: since.keys,
    allOfRooms: [...updates].flatMap(([roomId, room]) =>
      room.kind === 'join' && room.isNew ? [roomId] : [],
    ),
  });
  const deviceLists =
    deviceId === undefined || since === NOTHING
      ? NO_CHANGES
      : await deviceListChanges(deps, {
          userId,
          known: since.rooms,
          rooms: followed,
          changedKeysOf: feed.keyChanges?.userIds ?? [],
        });
  const accountData = await addAccountData(deps, viewer, feed, { updates, known });
  await addUnread(deps, viewer, updates, { joined, positions });
  return {
    cursor: {
      ...since,
      rooms: known,
      accountData: feed.position,
      delivery: feed.delivery,
      keys: feed.keyChanges?.position ?? since.keys,
    },
    rooms: byKind(updates),
    accountData,
    feed,
    deviceLists,
    hasUpdates:
      updates.size > 0 ||
      accountData.length > 0 ||
      feed.deviceMessages.length > 0 ||
      feed.keyChanges?.more === true ||
      deviceLists.changed.length + deviceLists.left.length > 0,
  };
}

interface RoomsRead {
  readonly updates: Map<string, RoomUpdate>;
  /** What the client knows once it has received the updates. */
  readonly known: ReadonlyMap<string, Known>;
  readonly followed: readonly FollowedRoom[];
  /** The joined rooms that were read. */
  readonly joined: ReadonlyMap<string, Joined>;
}

async function readRooms(
  deps: Deps,
  viewer: Viewer,
  since: Cursor,
  only: ReadonlySet<string> | undefined,
): Promise<RoomsRead> {
  const { changed, omitted } = only
    ? { changed: await findMovedRooms(deps, [...only], since), omitted: [] }
    : await findChangedRooms(deps, viewer, since);
  const known = new Map<string, Known>([...since.rooms, ...omitted]);
  const updates = new Map<string, RoomUpdate>();
  const followed: FollowedRoom[] = [];
  const joined = new Map<string, Joined>();
  let bytes = 0;
  for (let from = 0; from < changed.length; from += CONCURRENT_ROOMS) {
    const roomIds = changed.slice(from, from + CONCURRENT_ROOMS);
    const read: readonly RoomRead[] =
      bytes < TARGET_BYTES
        ? await Promise.all(roomIds.map((roomId) => readRoom(deps, viewer, roomId, since.rooms.get(roomId))))
        : [];
    for (const [index, roomId] of roomIds.entries()) {
      const room = bytes < TARGET_BYTES ? read[index] : undefined;
      // A room with full state that is left to the next response must be unknown to the client until then.
      if (room ? !room.known : viewer.fullState) known.delete(roomId);
      if (room?.known) known.set(roomId, room.known);
      if (room?.joined) joined.set(roomId, room.joined);
      if (room?.followed) followed.push(room.followed);
      if (room?.update) updates.set(roomId, room.update);
      bytes += room?.bytes ?? 0;
    }
  }
  return { updates, known, followed, joined };
}

/** Adds the numbers of unread events to the updates of joined rooms. */
async function addUnread(
  deps: Deps,
  { caller: { userId }, filter }: Viewer,
  updates: ReadonlyMap<string, RoomUpdate>,
  { joined, positions }: Pick<RoomsRead, 'joined'> & { readonly positions: ReadonlyMap<string, number> },
): Promise<void> {
  const shown = [...updates].flatMap(([roomId, { kind, room }]) =>
    kind === 'join' ? [{ roomId, room }] : [],
  );
  for (let from = 0; from < shown.length; from += CONCURRENT_ROOMS) {
    await Promise.all(
      shown.slice(from, from + CONCURRENT_ROOMS).map(async ({ roomId, room }) =>
        Object.assign(
          room,
          await readUnread(deps, joined.get(roomId) ?? (await findJoined(deps, roomId, userId)), {
            receipts: positions.get(roomId) ?? 0,
            countsThreads: filter.countsThreads,
          }),
        ),
      ),
    );
  }
}

/** Adds the ephemeral events of rooms to the updates of these rooms. */
async function addEphemeral(
  deps: Deps,
  ofRooms: ReadonlyMap<string, readonly string[]>,
  updates: Map<string, RoomUpdate>,
): Promise<void> {
  for (const [roomId, events] of ofRooms) {
    const room = updates.get(roomId) ?? (await readUnchangedRoom(deps, roomId));
    if (room?.kind !== 'join') continue;
    updates.set(roomId, room);
    room.room.ephemeral = { events: [...events] };
  }
}

/** Adds the account data of rooms to the updates of these rooms; returns the account data that belongs to no room. */
async function addAccountData(
  deps: Deps,
  { filter }: Viewer,
  { changes }: AccountFeed,
  { updates, known }: Pick<RoomsRead, 'updates' | 'known'>,
): Promise<readonly string[]> {
  const ofAccount: string[] = [];
  const ofRooms = new Map<string, string[]>();
  for (const { roomId, type, content } of changes) {
    const text = `{"type":${JSON.stringify(type)},"content":${content}}`;
    if (roomId === '') {
      if (matchesType(filter.accountData, type)) ofAccount.push(text);
    } else if (matchesRoom(filter.room, roomId) && matchesType(filter.roomAccountData, type)) {
      const texts = ofRooms.get(roomId);
      if (texts) texts.push(text);
      else ofRooms.set(roomId, [text]);
    }
  }
  for (const [roomId, events] of ofRooms) {
    if (!updates.has(roomId) && known.get(roomId)?.membership === 'join') {
      const unchanged = await readUnchangedRoom(deps, roomId);
      if (unchanged) updates.set(roomId, unchanged);
    }
    const room = updates.get(roomId);
    if (room?.kind === 'join' || room?.kind === 'leave') room.room.accountData = { events };
  }
  return ofAccount;
}

function byKind(updates: ReadonlyMap<string, RoomUpdate>): Rooms {
  const rooms: Rooms = {
    join: Object.create(null),
    invite: Object.create(null),
    knock: Object.create(null),
    leave: Object.create(null),
  };
  for (const [roomId, { kind, room }] of updates) rooms[kind][roomId] = room;
  return rooms;
}
