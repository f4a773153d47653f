import { createClient, type Transport } from '@connectrpc/connect';
import { NoticeService } from '@steward/proto/steward/room/v1/notices_pb.ts';
import { ReportedEventService } from '@steward/proto/steward/room/v1/reported_events_pb.ts';
import { callPeer } from '@steward/rpc';
import type { Notice, Notices } from './notice.ts';

/** As much as the room service describes at once. */
const AT_ONCE = 1_000;

/** An event that was reported, as it is now. */
export interface ReportedEvent {
  readonly sender: string;
  /** As JSON text, if the request asked for it. */
  readonly event: string | undefined;
}

/** What people call a room. */
export interface RoomNames {
  readonly name: string | undefined;
  readonly canonicalAlias: string | undefined;
}

/** Events and rooms that are still there, by id. */
export interface Described {
  readonly events: ReadonlyMap<string, ReportedEvent>;
  readonly rooms: ReadonlyMap<string, RoomNames>;
}

/** What is to be described. */
export interface ToDescribe {
  readonly eventIds?: readonly string[];
  readonly roomIds?: readonly string[];
  /** Whether to return the events themselves. */
  readonly withEvents?: boolean;
}

/** A notice, and where and how it is to be sent. */
export interface PlacedNotice extends Notice {
  /** The room, which is made if it does not exist and was never made. */
  readonly room: { readonly roomId: string; readonly isMade: boolean };
  readonly notices: Notices;
}

/** What the moderation service asks the room service for. */
export interface Rooms {
  /**
   * The sender of an event that a user sees in a room.
   *
   * @throws refuse.notFound when they see no such event there
   */
  senderOf(roomId: string, eventId: string, userId: string): Promise<string>;
  /** What events and rooms are now; those that are not there any more are left out. */
  describe(query: ToDescribe): Promise<Described>;
  /** A room in which a user can be sent notices; where there is none, the id of one that may be made. */
  chooseNoticeRoom(userId: string, sender: string): Promise<{ roomId: string; exists: boolean }>;
  /** The notice that a transaction has sent. */
  findNotice(transaction: string): Promise<string | undefined>;
  /**
   * Sends a notice; `undefined` where the room does not do.
   *
   * @throws what the event is refused with
   */
  sendNotice(notice: PlacedNotice): Promise<string | undefined>;
}

/** Asks the room service behind a transport. When it cannot be reached, callers are refused as unavailable. */
export function roomsThrough(transport: Transport): Rooms {
  const client = createClient(ReportedEventService, transport);
  const noticeClient = createClient(NoticeService, transport);
  return {
    chooseNoticeRoom: (userId, sender) => callPeer(() => noticeClient.chooseNoticeRoom({ userId, sender })),
    findNotice: async (transaction) =>
      (await callPeer(() => noticeClient.findNotice({ transaction }))).eventId,
    async sendNotice({ room, notices, type, stateKey, ...notice }) {
      const { sender, displayName, avatarUrl, roomName } = notices;
      const placed = {
        ...notice,
        roomId: room.roomId,
        create: !room.isMade,
        roomName,
        sender,
        displayName,
        ...(avatarUrl === undefined ? {} : { avatarUrl }),
        eventType: type,
        ...(stateKey === undefined ? {} : { stateKey }),
      };
      return (await callPeer(() => noticeClient.sendNotice(placed))).eventId;
    },
    senderOf: async (roomId, eventId, userId) =>
      (await callPeer(() => client.findVisibleEvent({ roomId, eventId, userId }))).sender,
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
        for (const { eventId, sender, event } of described.events) events.set(eventId, { sender, event });
        for (const { roomId, name, canonicalAlias } of described.rooms) {
          rooms.set(roomId, { name, canonicalAlias });
        }
      }
      return { events, rooms };
    },
  };
}
