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
import { type FollowedRoom, followedRoom } from '../../core/device-lists/followed-rooms.ts';
import type { Known } from '../../core/model/cursor.ts';
import { type MemberDocument, memberId } from '../../core/model/member.ts';
import { BEGINNING, endOf, formatPosition } from '../../core/model/position.ts';
import type { Room } from '../../core/model/room.ts';
import { eventIdOf } from '../../core/model/state-document.ts';
import { matchesType } from '../../core/protocol/mod.ts';
import { loadEvents } from '../../core/reading/load-events.ts';
import { inventEventId } from '../../core/reading/transaction.ts';
import type { Joined } from '../../core/unread/find-joined.ts';
import type { ReadAccess } from '../../core/visibility/read-access.ts';
import { showEvents } from '../../core/visibility/show-events.ts';
import { clientOptionsOf } from '../../core/visibility/visible-events.ts';
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

/** The update of a room, by the membership of the user. */
export type RoomUpdate =
  | {
      readonly kind: 'join';
      readonly room: MessageInitShape<typeof SyncedJoinedRoomSchema>;
      /** Whether the client did not know the room as joined before this update. */
      readonly isNew: boolean;
    }
  | { readonly kind: 'invite'; readonly room: MessageInitShape<typeof SyncedInvitedRoomSchema> }
  | { readonly kind: 'knock'; readonly room: MessageInitShape<typeof SyncedKnockedRoomSchema> }
  | { readonly kind: 'leave'; readonly room: MessageInitShape<typeof SyncedLeftRoomSchema> };

/** The result of reading a room. */
export interface RoomRead {
  /** `undefined` if nothing changed that the user may see. */
  readonly update: RoomUpdate | undefined;
  /** What the client knows after the update; `undefined` if the room does not exist for the user. */
  readonly known: Known | undefined;
  /** The size of the update in a response, in bytes. */
  readonly bytes: number;
  /** Whose devices the user may have come to follow, or no longer follows. */
  readonly followed?: FollowedRoom | undefined;
  /** Of a joined room: the room, and the membership of the user. */
  readonly joined?: Joined;
}

/** The most membership changes of a user that are read. */
const MAX_CHANGES_READ = 1_000;

const GONE: RoomRead = { update: undefined, known: undefined, bytes: 0 };

/** Reads what changed in a room for a user who has, or had, a membership in it. */
export async function readRoom(
  deps: Deps,
  viewer: Viewer,
  roomId: string,
  known: Known | undefined,
): Promise<RoomRead> {
  const found = await findMembership(deps, roomId, viewer.caller.userId);
  if (!found) return isPresent(known) ? vanished(deps, viewer, roomId) : GONE;
  const { room, member } = found;
  switch (member.membership) {
    case 'join':
      return readJoined(deps, viewer, room, member, known);
    case 'invite': {
      if (known === undefined && (await deps.ignoredUsers.of(viewer.caller.userId)).has(member.sender))
        return GONE;
      const events = await strippedRoom(deps, member);
      return {
        update: { kind: 'invite', room: { inviteState: { events } } },
        known: { membership: 'invite', arrival: member.arrival },
        bytes: sizeOf(events),
      };
    }
    case 'knock': {
      const events = await strippedRoom(deps, member);
      return {
        update: { kind: 'knock', room: { knockState: { events } } },
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
 * Whether a client knows its user as joined, invited or knocking. Such a client receives the end of the membership even
 * if another client, or a deletion of the room, has since marked the room as forgotten.
 */
function isPresent(known: Known | undefined): boolean {
  return known !== undefined && known.membership !== 'leave';
}

/**
 * The end of a membership in a room that was purged while the client was away. Nothing is left of the room, so the event by
 * which the user left it is made up; the client receives it once, because it no longer knows the room afterwards.
 */
function vanished(deps: Deps, { caller: { userId }, filter }: Viewer, roomId: string): RoomRead {
  const left = {
    type: 'm.room.member',
    state_key: userId,
    sender: userId,
    content: { membership: 'leave' },
    origin_server_ts: deps.clock.now(),
    event_id: inventEventId(deps, `${roomId} ${userId}`),
    unsigned: { age: 0, membership: 'leave' },
  };
  const events = matchesType(filter.timeline, left.type) ? [JSON.stringify(left)] : [];
  const timeline = { events, limited: false, prevBatch: formatPosition(BEGINNING) };
  return {
    update: { kind: 'leave', room: { timeline, state: { events: [] }, accountData: {} } },
    known: undefined,
    bytes: sizeOf(events),
  };
}

/** A room and a user's membership in it, both at a version of the room that includes that membership. */
async function findMembership(
  deps: Deps,
  roomId: string,
  userId: string,
): Promise<{ readonly room: Room; readonly member: MemberDocument } | undefined> {
  for (;;) {
    const room = await loadRoom(deps, roomId);
    const member = room && (await deps.members.findOne({ _id: memberId(roomId, userId) }));
    if (!member) return undefined;
    // Otherwise the membership changed between the two reads, which are repeated.
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
  const followed = followedRoom(room, known, { joined: true, anew: isNew, arrival: room.arrival });
  const isUnchanged = timeline.events.length === 0 && !timeline.limited && state.length === 0;
  if (isUnchanged && !isNew && !fullState) return { update: undefined, known: now, bytes: 0, followed };
  const summary =
    isNew || fullState || types.some((type) => SUMMARISED_TYPES.has(type))
      ? await roomSummary(deps, room, caller.userId)
      : {};
  return {
    update: { kind: 'join', isNew, room: joinedRoom({ timeline, state, summary }) },
    known: now,
    bytes,
    followed,
    joined: { room, member },
  };
}

/** The update of a room of which only the account data changed; `undefined` if the room was deleted. */
export async function readUnchangedRoom(deps: Deps, roomId: string): Promise<RoomUpdate | undefined> {
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
  // A user who never joined only receives the member event that ended the invitation or knock.
  const after = joinedAnew ? 0 : (knownIn ?? member.arrival - 1);
  const { timeline, state, bytes } = await readEvents(deps, viewer, access, {
    after,
    stateAfter: wasIn ? after : member.arrival,
    always: member.event_id,
  });
  return {
    update: { kind: 'leave', room: { timeline, state: { events: [...state] }, accountData: {} } },
    known: { membership: 'leave', arrival: member.arrival, stay: member.stay },
    bytes,
    followed: followedRoom(room, known, { joined: false, anew: false, arrival: member.arrival }),
  };
}

/** Whether a membership epoch of a user began after an arrival; also `true` beyond `MAX_CHANGES_READ` changes. */
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
  const events = await loadEvents(deps, changes.map(eventIdOf));
  return events.some((event) => event.stay !== undefined && (event.arrival ?? 0) > arrival);
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
  const options = { ...clientOptionsOf(deps, access, caller), form: filter.form, omitRoomId: true };
  const events = await showEvents(deps, timeline.events, options);
  const senders = shown.map(({ sender }) => sender);
  const lazyMembers = filter.state.lazyLoadMembers
    ? await lazyMembersOf(deps, access, caller, senders, stateAfter)
    : [];
  const state = await readState(deps, access, {
    known: stateAfter,
    start: Math.max(timeline.start, stateAfter),
    shown: new Set(shown.map(({ _id }) => _id)),
    lazyMembers,
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
async function lazyMembersOf(
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
