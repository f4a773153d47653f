import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { canonicalJson, type JsonObject, NotCanonical, own } from '@steward/kernel';
import type { SendNoticeRequest } from '@steward/proto/steward/room/v1/notices_pb.ts';
import { headers } from '@steward/rpc';
import { Conflict } from '@steward/store';
import { append } from '../../core/aggregate/append.ts';
import { initializeRoom, type RoomInitialization, rehearseIn } from '../../core/aggregate/initialize-room.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { accountOf, type MemberAccount } from '../../core/membership/change-membership.ts';
import { GUEST_KIND } from '../../core/model/guest.ts';
import { memberId } from '../../core/model/member.ts';
import { hasNoOthers } from '../../core/notices/notice-rooms.ts';
import {
  denyGuestJoin,
  EVENT_MAX_BYTES,
  type EventDraft,
  findRoomVersion,
  inviteDraft,
  type Profile,
  planRoom,
  refuseDenied,
  topicContent,
  validateEvent,
} from '../../core/protocol/mod.ts';
import { refuseBlocked } from '../../core/refusals/refuse-blocked.ts';
import { unlessRefused } from '../../core/refusals/unless-refused.ts';
import { addChecked } from '../../core/sending/add-checked.ts';
import { addOwnMember, ownMember } from '../../core/view/add-own-member.ts';
import { RoomView } from '../../core/view/room-view.ts';
import { noticeTransaction } from './notice-transaction.ts';

/** The `users_default` power level of a notice room: the reader may send nothing. */
const READER_LEVEL = -10;

/** Replaces a default version whose room ids are hashes, because the id of a notice room is chosen in advance. */
const FALLBACK_VERSION = '11';

/**
 * Event types that cannot be sent as notices, because they have their own effects, or because they say who may enter, read and speak: only the
 * reader is in a notice room, and only the server speaks there.
 */
const REFUSED_TYPES: ReadonlySet<string> = new Set([
  'm.room.create',
  'm.room.history_visibility',
  'm.room.join_rules',
  'm.room.member',
  'm.room.power_levels',
  'm.room.redaction',
  'm.room.server_acl',
  'm.room.third_party_invite',
  'm.room.tombstone',
]);

/**
 * Sends a notice once for each transaction; also creates the room, if the request says so, updates its avatar and topic,
 * and makes the invited reader join (behaviour.md 7.1, 14.3). Rate limits and conditions of accounts do not apply, only
 * the rules of the room.
 *
 * @returns no event if the sender or the reader is not in the room, or anyone else is, or the room does not exist; nor for a check alone
 * @throws the refusal of the event, before anything has changed
 */
export async function sendNotice(deps: Deps, request: SendNoticeRequest, context: HandlerContext) {
  const { roomId, stateKey } = request;
  const traceparent = context.requestHeader.get(headers.traceparent) ?? '';
  const draft: EventDraft = {
    type: request.eventType,
    sender: request.sender,
    content: JSON.parse(request.content) as JsonObject,
    ...(stateKey === undefined ? {} : { state_key: stateKey }),
  };
  checkNotice(deps, roomId, draft);
  const reader = await readerOf(deps, request);
  const room = await loadRoom(deps, roomId);
  if (!room) {
    if (!request.create || !reader) return {};
    const init = roomOf(deps, request, reader, traceparent);
    await rehearseIn(deps, init, (view) => addNotice(deps, view, request, reader, draft));
    if (request.checkOnly) return {};
    await createRoom(deps, init);
  } else if (request.checkOnly) {
    await addNotice(deps, new RoomView(deps, room), request, reader, draft);
    return {};
  }
  const eventId = await append(deps, roomId, (view) => addNotice(deps, view, request, reader, draft), {
    traceparent,
    missing: () => refuse.unavailable('The notice room was deleted; try again'),
  });
  return eventId === undefined ? {} : { eventId };
}

function checkNotice({ serverName }: Pick<Deps, 'serverName'>, roomId: string, draft: EventDraft): void {
  if (REFUSED_TYPES.has(draft.type)) throw refuse.unknown(`${draft.type} is not a notice`);
  validateEvent(draft, { roomId, serverName, joinRule: 'invite' });
  try {
    const bytes = Buffer.byteLength(canonicalJson(draft));
    if (bytes > EVENT_MAX_BYTES) throw refuse.tooLarge(`An event has at most ${EVENT_MAX_BYTES} bytes`);
  } catch (error) {
    if (error instanceof NotCanonical) throw refuse.badJson(`The event ${error.message}`);
    throw error;
  }
}

/** The account of the reader; undefined when the reader is neither to be invited nor to join. */
async function readerOf(
  deps: Deps,
  { create, autoJoin, roomId, userId }: SendNoticeRequest,
): Promise<MemberAccount | undefined> {
  if (!create && !autoJoin) return undefined;
  const member = await deps.members.findOne({ _id: memberId(roomId, userId) });
  return member?.membership === 'join' ? undefined : accountOf(deps, userId);
}

/** Creates the room, unless another request has just done so. */
async function createRoom(deps: Deps, init: RoomInitialization): Promise<void> {
  try {
    await initializeRoom(deps, init);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}

/** The room with the reader. */
function roomOf(
  deps: Deps,
  request: SendNoticeRequest,
  reader: MemberAccount,
  traceparent: string,
): RoomInitialization {
  const { roomId, roomName, userId, sender } = request;
  const { defaultRoomVersion } = deps.settings;
  const plan = planRoom(
    { preset: 'private_chat', name: roomName, powerLevelContentOverride: { users_default: READER_LEVEL } },
    {
      creator: sender,
      creatorProfile: senderProfile(request),
      serverName: deps.serverName,
      defaultRoomVersion: findRoomVersion(defaultRoomVersion)?.hashRoomIds
        ? FALLBACK_VERSION
        : defaultRoomVersion,
    },
  );
  const { profile, deactivated } = reader;
  const invitation = inviteDraft(sender, userId, profile, false);
  const join = mayJoin(request, reader) ? [ownMember(userId, 'join', profile, kindOf(reader))] : [];
  return {
    roomId,
    version: plan.version,
    creator: sender,
    isPublic: false,
    drafts: [...plan.drafts, ...configuredState(request), invitation, ...join],
    deactivated: new Set(deactivated ? [userId] : []),
    traceparent,
  };
}

async function addNotice(
  deps: Deps,
  view: RoomView,
  request: SendNoticeRequest,
  reader: MemberAccount | undefined,
  draft: EventDraft,
): Promise<string | undefined> {
  const transaction = noticeTransaction(request.transaction);
  const sent = await view.sentBy(transaction);
  if (sent !== undefined) return sent;
  const { userId, sender } = request;
  const membership = await view.membership(userId);
  if ((await view.membership(sender)) !== 'join' || (membership !== 'join' && membership !== 'invite'))
    return undefined;
  if (!hasNoOthers(view.room)) return undefined;
  if (membership === 'invite' && reader && mayJoin(request, reader)) {
    await unlessRefused(joinReader(deps, view, userId, reader));
  }
  const profile = senderProfile(request);
  const shown = (await view.state('m.room.member', sender))?.event.content;
  const isShown = (key: string, value: string | null | undefined) => (own(shown, key) ?? null) === value;
  if (!isShown('displayname', profile.displayName) || !isShown('avatar_url', profile.avatarUrl)) {
    await addOwnMember(view, sender, 'join', profile);
  }
  // A room whose power levels an administrator has changed may refuse the state, and nevertheless admit the notice.
  for (const state of configuredState(request)) await unlessRefused(view.add(state));
  return addChecked(deps, view, draft, { transaction });
}

/** Whether the reader joins without accepting the invitation. */
function mayJoin({ autoJoin }: SendNoticeRequest, { deactivated }: MemberAccount): boolean {
  return autoJoin && !deactivated;
}

/** @throws the refusal of a blocked room, and of a guest by a room that does not admit guests */
async function joinReader(deps: Deps, view: RoomView, userId: string, reader: MemberAccount): Promise<void> {
  await refuseBlocked(deps, view.room._id);
  if (reader.guest) refuseDenied(denyGuestJoin(await view.lookup([['m.room.guest_access', '']])));
  await addOwnMember(view, userId, 'join', reader.profile, kindOf(reader));
}

/** What the member event of a guest contains in addition. */
function kindOf({ guest }: MemberAccount): JsonObject {
  return guest ? GUEST_KIND : {};
}

/** The state that all notice rooms have in common; nothing is added to a room that has it already. */
function configuredState({ sender, roomAvatarUrl, roomTopic }: SendNoticeRequest): readonly EventDraft[] {
  const state = (type: string, content: JsonObject): EventDraft => ({ type, state_key: '', sender, content });
  return [
    ...(roomAvatarUrl === undefined ? [] : [state('m.room.avatar', { url: roomAvatarUrl })]),
    ...(roomTopic === undefined ? [] : [state('m.room.topic', topicContent(roomTopic))]),
  ];
}

/** The profile that the sender shows in notice rooms. */
function senderProfile({ displayName, avatarUrl }: SendNoticeRequest): Profile {
  return { displayName, avatarUrl: avatarUrl ?? null };
}
