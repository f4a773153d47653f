import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  SyncedInvitedRoomSchema,
  SyncedJoinedRoomSchema,
  SyncedKnockedRoomSchema,
  SyncedLeftRoomSchema,
} from '@steward/proto/steward/room/v1/sync_pb.ts';
import type { Requester } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import type { Known } from '../../core/model/cursor.ts';
import { type MemberDocument, memberId } from '../../core/model/member.ts';
import { endOf, formatPosition } from '../../core/model/position.ts';
import type { Room } from '../../core/model/room.ts';
import { toClientEvents } from '../../core/reading/client-events.ts';
import { loadEvents } from '../../core/reading/load-events.ts';
import { sessionOf } from '../../core/reading/transaction.ts';
import type { ReadAccess } from '../../core/visibility/read-access.ts';
import { readState } from './read-state.ts';
import { readTimeline } from './read-timeline.ts';
import { roomSummary, SUMMARISED_TYPES } from './room-summary.ts';
import { strippedRoom } from './stripped-room.ts';
import type { SyncFilter } from './sync-filter.ts';

/** The client for which rooms are read. */
export interface Viewer {
  readonly caller: Requester;
  readonly filter: SyncFilter;
  /** Whether the client requests all state, even if it knows it. */
  readonly fullState: boolean;
}

/** What is new in a room, by what the user is in it. */
export type RoomNews =
  | {
      readonly kind: 'join';
      readonly room: MessageInitShape<typeof SyncedJoinedRoomSchema>;
      /** Whether the client knows nothing of the room without this. */
      readonly isNew: boolean;
    }
  | { readonly kind: 'invite'; readonly room: MessageInitShape<typeof SyncedInvitedRoomSchema> }
  | { readonly kind: 'knock'; readonly room: MessageInitShape<typeof SyncedKnockedRoomSchema> }
  | { readonly kind: 'leave'; readonly room: MessageInitShape<typeof SyncedLeftRoomSchema> };

/** What a sync reads of a room. */
export interface RoomRead {
  /** `undefined` where there is nothing that the user may see. */
  readonly news: RoomNews | undefined;
  /** What the client knows after it; `undefined` where there is no such room for the user. */
  readonly known: Known | undefined;
  /** How much it takes up in an answer, in bytes. */
  readonly bytes: number;
}

/** Changes of a user's membership that are read. */
const MAX_CHANGES_READ = 1_000;

const GONE: RoomRead = { news: undefined, known: undefined, bytes: 0 };

/** What is new in a room for a user who is, or was, something in it. */
export async function readRoom(
  deps: Deps,
  viewer: Viewer,
  roomId: string,
  known: Known | undefined,
): Promise<RoomRead> {
  const found = await findStanding(deps, roomId, viewer.caller.userId);
  if (!found) return GONE;
  const { room, member } = found;
  switch (member.membership) {
    case 'join':
      return readJoined(deps, viewer, room, member, known);
    case 'invite': {
      const events = await strippedRoom(deps, member);
      return {
        news: { kind: 'invite', room: { inviteState: { events } } },
        known: { membership: 'invite', arrival: member.arrival },
        bytes: sizeOf(events),
      };
    }
    case 'knock': {
      const events = await strippedRoom(deps, member);
      return {
        news: { kind: 'knock', room: { knockState: { events } } },
        known: { membership: 'knock', arrival: member.arrival },
        bytes: sizeOf(events),
      };
    }
    case 'leave':
    case 'ban':
      return member.forgotten && !isPresent(known) ? GONE : readLeft(deps, viewer, room, member, known);
    default:
      return GONE;
  }
}

/**
 * Whether a client believes its user to be in a room, or invited. It receives the end of that even where the room was
 * forgotten since, by another client or by a deletion of the room.
 */
function isPresent(known: Known | undefined): boolean {
  return known !== undefined && known.membership !== 'leave';
}

/** A room that includes the user's current membership. */
async function findStanding(
  deps: Deps,
  roomId: string,
  userId: string,
): Promise<{ readonly room: Room; readonly member: MemberDocument } | undefined> {
  for (;;) {
    const room = await loadRoom(deps, roomId);
    const member = room && (await deps.members.findOne({ _id: memberId(roomId, userId) }));
    if (!member) return undefined;
    // Otherwise the membership changed in between.
    if (member.arrival <= room.arrival) return { room, member };
  }
}

async function readJoined(
  deps: Deps,
  viewer: Viewer,
  room: Room,
  member: MemberDocument,
  known: Known | undefined,
): Promise<RoomRead> {
  const { caller, fullState } = viewer;
  const isNew = known?.membership !== 'join' || (await joinedSince(deps, member, known.arrival));
  const after = isNew ? 0 : known.arrival;
  const access = { room, member, roomId: room._id, arrival: room.arrival };
  const { timeline, state, types, bytes } = await readEvents(deps, viewer, access, {
    after,
    stateAfter: fullState ? 0 : after,
  });
  const now: Known = { membership: 'join', arrival: room.arrival };
  const isSilent = timeline.events.length === 0 && !timeline.limited && state.length === 0;
  if (isSilent && !isNew && !fullState) return { news: undefined, known: now, bytes: 0 };
  const summary =
    isNew || fullState || types.some((type) => SUMMARISED_TYPES.has(type))
      ? await roomSummary(deps, room, caller.userId)
      : {};
  return {
    news: { kind: 'join', isNew, room: joinedRoom({ timeline, state, summary }) },
    known: now,
    bytes,
  };
}

/** A room in which only the account's data for it are new; `undefined` if it was deleted. */
export async function readQuietRoom(deps: Deps, roomId: string): Promise<RoomNews | undefined> {
  const room = await deps.rooms.findOne({ _id: roomId }, { projection: { depth: 1, arrival: 1 } });
  if (!room) return undefined;
  const timeline = { events: [], limited: false, prevBatch: formatPosition(endOf(room)) };
  return { kind: 'join', isNew: false, room: joinedRoom({ timeline, state: [], summary: {} }) };
}

function joinedRoom({
  timeline,
  state,
  summary,
}: {
  readonly timeline: Events['timeline'];
  readonly state: readonly string[];
  readonly summary: MessageInitShape<typeof SyncedJoinedRoomSchema>['summary'];
}): MessageInitShape<typeof SyncedJoinedRoomSchema> {
  return {
    timeline,
    state: { events: [...state] },
    accountData: {},
    ephemeral: {},
    unreadNotifications: {},
    summary: summary ?? {},
  };
}

async function readLeft(
  deps: Deps,
  viewer: Viewer,
  room: Room,
  member: MemberDocument,
  known: Known | undefined,
): Promise<RoomRead> {
  const access = { room, member, roomId: room._id, arrival: member.arrival };
  const knownIn = known?.membership === 'join' ? known.arrival : undefined;
  const joinedAnew = await joinedSince(deps, member, known?.arrival ?? 0);
  const wasIn = joinedAnew || knownIn !== undefined;
  // A user who never joined the room only learns that the invitation or knock is over.
  const after = joinedAnew ? 0 : (knownIn ?? member.arrival - 1);
  const { timeline, state, bytes } = await readEvents(deps, viewer, access, {
    after,
    stateAfter: wasIn ? after : member.arrival,
    always: member.event_id,
  });
  return {
    news: { kind: 'leave', room: { timeline, state: { events: [...state] }, accountData: {} } },
    known: { membership: 'leave', arrival: member.arrival, stay: member.stay },
    bytes,
  };
}

/** Whether a membership epoch of a user began after an arrival; also if that takes too long to find out. */
async function joinedSince(
  deps: Pick<Deps, 'states' | 'events'>,
  { room_id, user_id, arrival: last, stay: lastEpoch }: MemberDocument,
  arrival: number,
): Promise<boolean> {
  if (lastEpoch === 0 || last <= arrival) return false;
  const key = { room_id, type: 'm.room.member', state_key: user_id };
  const changes = await deps.states
    .find({ ...key, from: { $gt: arrival, $lte: last } }, { projection: { _id: 1 }, limit: MAX_CHANGES_READ })
    .toArray();
  if (changes.length === MAX_CHANGES_READ) return true;
  const events = await loadEvents(
    deps,
    changes.map(({ _id }) => _id),
  );
  return events.some(({ stay }) => stay !== undefined);
}

interface Events {
  readonly timeline: { readonly events: string[]; readonly limited: boolean; readonly prevBatch: string };
  readonly state: readonly string[];
  /** The types of all these events. */
  readonly types: readonly string[];
  readonly bytes: number;
}

async function readEvents(
  deps: Deps,
  { caller, filter }: Viewer,
  access: ReadAccess,
  range: { readonly after: number; readonly stateAfter: number; readonly always?: string },
): Promise<Events> {
  const { after, stateAfter, always } = range;
  const timeline = await readTimeline(deps, access, caller, {
    after,
    filter: filter.timeline,
    ...(always === undefined ? {} : { always }),
  });
  const shown = timeline.events.map(({ document }) => document);
  const options = { session: sessionOf(caller), form: filter.form, omitRoomId: true };
  const redacted = new Set(
    timeline.events.filter((event) => event.isRedacted).map((event) => event.document._id),
  );
  const events = await toClientEvents(deps, shown, { ...options, redacted });
  const senders = shown.map(({ sender }) => sender);
  const people = filter.state.lazyLoadMembers
    ? await peopleOf(deps, access, caller, senders, stateAfter)
    : [];
  const state = await readState(deps, access, {
    known: stateAfter,
    start: Math.max(timeline.start, stateAfter),
    shown: new Set(shown.map(({ _id }) => _id)),
    people,
    filter: filter.state,
    options,
  });
  return {
    timeline: { events, limited: timeline.limited, prevBatch: timeline.prevBatch },
    state: state.events,
    types: [...shown, ...state.documents].map(({ type }) => type),
    bytes: sizeOf(events) + sizeOf(state.events),
  };
}

/** The users whose member events are sent where members are loaded lazily. */
async function peopleOf(
  deps: Deps,
  { room }: ReadAccess,
  { userId }: Requester,
  senders: readonly string[],
  known: number,
): Promise<readonly string[]> {
  if (known > 0) return senders;
  const { heroes } = await roomSummary(deps, room, userId);
  return [...senders, ...heroes, userId];
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
