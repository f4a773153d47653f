import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { isObject, type JsonObject } from '@steward/kernel';
import type { CreateRoomRequest } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { headers, type Requester, requester } from '@steward/rpc';
import { initializeRoom } from '../../core/aggregate/initialize-room.ts';
import type { Deps } from '../../core/deps.ts';
import { profileOf } from '../../core/membership/change-membership.ts';
import { refuseNoticesAccount } from '../../core/notices/notice-rooms.ts';
import {
  type EventDraft,
  inviteDraft,
  planRoom,
  type RoomPlan,
  type RoomRequest,
} from '../../core/protocol/mod.ts';
import { delayAsShadowBanned } from '../../core/refusals/delay-as-shadow-banned.ts';
import { refuseOverLimit } from '../../core/refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../../core/refusals/refuse-suspended.ts';

/** The most state events of a creation request; all are held in memory. */
const MAX_INITIAL_STATE = 500;

/** Creates a room with its first events (client-plane.md 7.8). */
export async function createRoom(deps: Deps, request: CreateRoomRequest, context: HandlerContext) {
  const caller = requester(context);
  refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  const plan = planRoom(readRequest(request), {
    creator: caller.userId,
    creatorProfile: await profileOf(deps, caller.userId),
    serverName: deps.serverName,
    defaultRoomVersion: deps.settings.defaultRoomVersion,
  });
  const { maxFirstInvites } = deps.settings;
  if (plan.invite.length > maxFirstInvites) {
    throw refuse.invalidParam(`At most ${maxFirstInvites} users can be invited at once`);
  }
  deps.limits.roomCreation.check(caller);
  deps.limits.message.check(caller);
  const invitations = await inviteAll(deps, caller, plan);
  const uncount = countCreation(deps, caller, invitations.invited);
  const room = await initializeRoom(deps, {
    version: plan.version,
    creator: caller.userId,
    isPublic: plan.isPublic,
    ...(plan.alias === undefined ? {} : { alias: { name: plan.alias, creator: caller } }),
    deactivated: invitations.deactivated,
    drafts: [...plan.drafts, ...invitations.drafts],
    traceparent: context.requestHeader.get(headers.traceparent) ?? '',
  }).catch((error: unknown) => {
    uncount();
    throw error;
  });
  return { roomId: room._id };
}

function readRequest(request: CreateRoomRequest): RoomRequest {
  const { preset, visibility, roomVersion, roomAliasName, name, topic, invite, isDirect } = request;
  if (request.initialState.length > MAX_INITIAL_STATE) {
    throw refuse.invalidParam(`'initial_state' has at most ${MAX_INITIAL_STATE} events`);
  }
  const initialState = request.initialState.map((text) => JSON.parse(text));
  return {
    ...(preset === undefined ? {} : { preset }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(roomVersion === undefined ? {} : { roomVersion }),
    ...(roomAliasName === undefined ? {} : { aliasName: roomAliasName }),
    ...(name === undefined ? {} : { name }),
    ...(topic === undefined ? {} : { topic }),
    ...readObject('creation_content', 'creationContent', request.creationContent),
    ...readObject(
      'power_level_content_override',
      'powerLevelContentOverride',
      request.powerLevelContentOverride,
    ),
    invite,
    invite3pid: request.invite3pid.map((text) => JSON.parse(text)),
    initialState,
    isDirect,
  };
}

function readObject(key: string, name: keyof RoomRequest, text: string | undefined): Partial<RoomRequest> {
  if (text === undefined) return {};
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw refuse.badJson(`'${key}' must be an object`);
  return { [name]: value satisfies JsonObject };
}

/** The first invitations of a room. */
interface Invitations {
  readonly invited: readonly string[];
  readonly drafts: readonly EventDraft[];
  readonly deactivated: ReadonlySet<string>;
}

const NO_INVITATIONS: Invitations = { invited: [], drafts: [], deactivated: new Set() };

/** The first invitations of the room; those of shadow-banned users have no effect. */
async function inviteAll(
  deps: Deps,
  caller: Requester,
  { invite, isDirect }: RoomPlan,
): Promise<Invitations> {
  if (invite.length === 0) return NO_INVITATIONS;
  if (caller.shadowBanned) {
    await delayAsShadowBanned(deps);
    return NO_INVITATIONS;
  }
  await refuseNoticesAccount(deps, ...invite);
  const profiles = await deps.users.profiles(invite);
  const drafts = invite.map((userId) => {
    const { displayname, avatarUrl } = profiles.get(userId) ?? {};
    const profile = { displayName: displayname ?? null, avatarUrl: avatarUrl ?? null };
    return inviteDraft(caller.userId, userId, profile, isDirect);
  });
  const deactivated = new Set(invite.filter((userId) => profiles.get(userId)?.deactivated));
  return { invited: invite, drafts, deactivated };
}

/**
 * Counts the creation of a room, which is one message, and its first invitations against the limits of the creator and of
 * the invited users (client-plane.md 9).
 *
 * @returns takes back what was counted for the invited users, because the room was refused
 * @throws limitExceeded; then nothing is counted
 */
function countCreation(
  { limits }: Pick<Deps, 'limits'>,
  caller: Requester,
  invited: readonly string[],
): () => void {
  for (const userId of invited) limits.invitesPerUser.check(userId);
  limits.invitesPerIssuer.check(caller, invited.length);
  limits.roomCreation.take(caller);
  limits.message.take(caller);
  limits.invitesPerIssuer.take(caller, invited.length);
  for (const userId of invited) limits.invitesPerUser.take(userId);
  return () => {
    for (const userId of invited) limits.invitesPerUser.giveBack(userId);
  };
}
