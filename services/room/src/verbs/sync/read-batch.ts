import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SyncedRoomsSchema } from '@steward/proto/steward/room/v1/sync_pb.ts';
import type { Deps } from '../../core/deps.ts';
import type { Cursor, Known } from '../../core/model/cursor.ts';
import { matchesRoom, matchesType } from '../../core/protocol/mod.ts';
import type { AccountFeed } from '../../peers/account-feeds.ts';
import { findChangedRooms } from './find-changed-rooms.ts';
import { type RoomNews, type RoomRead, readQuietRoom, readRoom, type Viewer } from './read-room.ts';

/** Rooms that are read at once. */
const ROOMS_AT_ONCE = 8;

/** When rooms take up so much in an answer, the others are left to the next one, in bytes. */
const ENOUGH_BYTES = 4 * 1024 * 1024;

type Rooms = Required<Pick<MessageInitShape<typeof SyncedRoomsSchema>, RoomNews['kind']>>;

/** What is new for a client. */
export interface Batch {
  /** What the client knows with it. */
  readonly cursor: Cursor;
  readonly rooms: Rooms;
  /** The account's data as a whole, as JSON text. */
  readonly accountData: readonly string[];
  readonly feed: AccountFeed;
  readonly hasNews: boolean;
}

/** Reads what is new for a client since a cursor. What does not fit an answer is new for the next one. */
export async function readBatch(deps: Deps, viewer: Viewer, since: Cursor): Promise<Batch> {
  const { userId, deviceId } = viewer.caller;
  const { news, known } = await readRooms(deps, viewer, since);
  const feed = await deps.accountFeeds.read({
    userId,
    deviceId,
    since: since.accountData,
    allOfRooms: [...news].flatMap(([roomId, room]) => (room.kind === 'join' && room.isNew ? [roomId] : [])),
  });
  const accountData = await addAccountData(deps, viewer, feed, { news, known });
  return {
    cursor: { ...since, rooms: known, accountData: feed.position },
    rooms: byKind(news),
    accountData,
    feed,
    hasNews: news.size > 0 || accountData.length > 0,
  };
}

interface RoomsRead {
  readonly news: Map<string, RoomNews>;
  /** What the client knows with them. */
  readonly known: ReadonlyMap<string, Known>;
}

async function readRooms(deps: Deps, viewer: Viewer, since: Cursor): Promise<RoomsRead> {
  const { changed, passedOver } = await findChangedRooms(deps, viewer, since);
  const known = new Map<string, Known>([...since.rooms, ...passedOver]);
  const news = new Map<string, RoomNews>();
  let bytes = 0;
  for (let from = 0; from < changed.length; from += ROOMS_AT_ONCE) {
    const roomIds = changed.slice(from, from + ROOMS_AT_ONCE);
    const read: readonly RoomRead[] =
      bytes < ENOUGH_BYTES
        ? await Promise.all(roomIds.map((roomId) => readRoom(deps, viewer, roomId, since.rooms.get(roomId))))
        : [];
    for (const [index, roomId] of roomIds.entries()) {
      const room = bytes < ENOUGH_BYTES ? read[index] : undefined;
      // Of a room that is left to the next answer in full, the client is to know nothing.
      if (room ? !room.known : viewer.fullState) known.delete(roomId);
      if (room?.known) known.set(roomId, room.known);
      if (room?.news) news.set(roomId, room.news);
      bytes += room?.bytes ?? 0;
    }
  }
  return { news, known };
}

/** Puts the account's data for rooms to their rooms; returns those of the account as a whole. */
async function addAccountData(
  deps: Deps,
  { filter }: Viewer,
  { changes }: AccountFeed,
  { news, known }: RoomsRead,
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
    if (!news.has(roomId) && known.get(roomId)?.membership === 'join') {
      const quiet = await readQuietRoom(deps, roomId);
      if (quiet) news.set(roomId, quiet);
    }
    const room = news.get(roomId);
    if (room?.kind === 'join' || room?.kind === 'leave') room.room.accountData = { events };
  }
  return ofAccount;
}

function byKind(news: ReadonlyMap<string, RoomNews>): Rooms {
  const rooms: Rooms = {
    join: Object.create(null),
    invite: Object.create(null),
    knock: Object.create(null),
    leave: Object.create(null),
  };
  for (const [roomId, { kind, room }] of news) rooms[kind][roomId] = room;
  return rooms;
}
