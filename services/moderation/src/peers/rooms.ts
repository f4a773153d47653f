import { createClient, type Transport } from '@connectrpc/connect';
import { AliasService } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { NoticeService } from '@steward/proto/steward/room/v1/notices_pb.ts';
import { ReportedEventService } from '@steward/proto/steward/room/v1/reported_events_pb.ts';
import { callPeer } from '@steward/rpc';
import type { Notice, Notices } from './notice.ts';

/** The maximum number of ids in one call of the room service. */
const AT_ONCE = 1_000;

/** A reported event in its current form. */
export interface ReportedEvent {
  readonly sender: string;
  readonly roomId: string;
  /** The event as JSON text, if it was requested. */
  readonly event: string | undefined;
  /** Whether it was redacted, if the event was requested: it is then private. */
  readonly redacted: boolean;
}

/** The names of a room. */
export interface RoomNames {
  readonly name: string | undefined;
  readonly canonicalAlias: string | undefined;
  /** Whether not everyone may read its content. */
  readonly private: boolean;
}

/** What a copy of a room has. */
export interface RoomDetails {
  readonly name: string | null;
  readonly topic: string | null;
  readonly avatarUrl: string | null;
  readonly canonicalAlias: string | null;
  readonly creator: string | null;
  readonly joinedMembers: number;
}

/** The existing ones of the events and rooms, by id. */
export interface Described {
  readonly events: ReadonlyMap<string, ReportedEvent>;
  readonly rooms: ReadonlyMap<string, RoomNames>;
}

/** The events and rooms to describe. */
export interface ToDescribe {
  readonly eventIds?: readonly string[];
  readonly roomIds?: readonly string[];
  /** Whether to return the events themselves. */
  readonly withEvents?: boolean;
}

/** A notice, its room and its transaction. */
export interface PlacedNotice extends Notice {
  /** The room, which is created unless it was created before. */
  readonly room: { readonly roomId: string; readonly isMade: boolean };
  readonly notices: Notices;
  /** Whether to check only that it could be sent. */
  readonly checkOnly?: boolean;
}

/** The calls of the moderation service to the room service. */
export interface Rooms {
  /** Returns the number of aliases that a user created. */
  countAliases(userId: string): Promise<bigint>;
  /**
   * Returns the sender of an event that a user sees in a room.
   *
   * @throws refuse.notFound when they see no such event there
   */
  senderOf(roomId: string, eventId: string, userId: string): Promise<string>;
  /** Returns the current state of events and rooms, without those that no longer exist. */
  describe(query: ToDescribe): Promise<Described>;
  /** Returns what a copy of a room has; `undefined` when it no longer exists. */
  detailsOf(roomId: string): Promise<RoomDetails | undefined>;
  /** Returns a room in which a user can receive notices; if there is none, an unused id for a new one. */
  chooseNoticeRoom(userId: string, sender: string): Promise<{ roomId: string; exists: boolean }>;
  /** Returns the id of the notice that a transaction has sent. */
  findNotice(transaction: string): Promise<string | undefined>;
  /**
   * Sends a notice; returns `undefined` when the room is unusable, or for a check alone.
   *
   * @throws the refusal of the event, before anything has changed
   */
  sendNotice(notice: PlacedNotice): Promise<string | undefined>;
}

/** Calls the room service through a transport. When it cannot be reached, callers are refused as unavailable. */
export function roomsThrough(transport: Transport): Rooms {
  const client = createClient(ReportedEventService, transport);
  const noticeClient = createClient(NoticeService, transport);
  const aliasClient = createClient(AliasService, transport);
  return {
    countAliases: async (userId) => (await callPeer(() => aliasClient.countAliases({ userId }))).aliases,
    chooseNoticeRoom: (userId, sender) => callPeer(() => noticeClient.chooseNoticeRoom({ userId, sender })),
    findNotice: async (transaction) =>
      (await callPeer(() => noticeClient.findNotice({ transaction }))).eventId,
    async sendNotice({ room, notices, type, stateKey, ...notice }) {
      const { sender, displayName, avatarUrl, roomName, roomAvatarUrl, roomTopic, autoJoin } = notices;
      const placed = {
        ...notice,
        roomId: room.roomId,
        create: !room.isMade,
        roomName,
        sender,
        displayName,
        autoJoin,
        ...(avatarUrl === undefined ? {} : { avatarUrl }),
        ...(roomAvatarUrl === undefined ? {} : { roomAvatarUrl }),
        ...(roomTopic === undefined ? {} : { roomTopic }),
        eventType: type,
        ...(stateKey === undefined ? {} : { stateKey }),
      };
      return (await callPeer(() => noticeClient.sendNotice(placed))).eventId;
    },
    senderOf: async (roomId, eventId, userId) =>
      (await callPeer(() => client.findVisibleEvent({ roomId, eventId, userId }))).sender,
    async detailsOf(roomId) {
      const { rooms } = await callPeer(() =>
        client.describeReported({ roomIds: [roomId], withDetails: true }),
      );
      const [room] = rooms;
      if (!room) return undefined;
      const { name = null, topic = null, avatarUrl = null, canonicalAlias = null, creator = null } = room;
      return { name, topic, avatarUrl, canonicalAlias, creator, joinedMembers: Number(room.joinedMembers) };
    },
    async describe({ eventIds = [], roomIds = [], withEvents = false }) {
      const events = new Map<string, ReportedEvent>();
      const rooms = new Map<string, RoomNames>();
      for (let from = 0; from < Math.max(eventIds.length, roomIds.length); from += AT_ONCE) {
        const page = {
          eventIds: eventIds.slice(from, from + AT_ONCE),
          roomIds: roomIds.slice(from, from + AT_ONCE),
          withEvents,
        };
        const described = await callPeer(() => client.describeReported(page));
        for (const { eventId, sender, roomId, event, redacted } of described.events) {
          events.set(eventId, { sender, roomId, event, redacted });
        }
        for (const { roomId, name, canonicalAlias, private: isPrivate } of described.rooms) {
          rooms.set(roomId, { name, canonicalAlias, private: isPrivate });
        }
      }
      return { events, rooms };
    },
  };
}
