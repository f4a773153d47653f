import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import { isObject, type JsonObject, own, parseUserId } from '@steward/kernel';
import { RoomAdminMadeSchema } from '@steward/proto/steward/feed/v1/rooms_pb.ts';
import type { MakeRoomAdminRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { hasAccount, headers, type Requester, raiseDeferred, raiseDeferredOf, requester } from '@steward/rpc';
import { append } from '../../core/aggregate/append.ts';
import { namedRoom } from '../../core/aliases/named-room.ts';
import type { Deps } from '../../core/deps.ts';
import { accountOf, addMember } from '../../core/membership/change-membership.ts';
import { isNoticesAccount, refuseNoticeRoom, refuseNoticesAccount } from '../../core/notices/notice-rooms.ts';
import { localMembersByPower, type PowerfulMember } from '../../core/orders/local-members-by-power.ts';
import {
  authorize,
  authStateKeys,
  findRoomVersion,
  joinRuleOf,
  type PowerLevels,
  powerLevelsOf,
  type RoomVersion,
} from '../../core/protocol/mod.ts';
import type { RoomView, SendOptions } from '../../core/view/room-view.ts';

/** The most members of the same level who are considered. */
const MAX_EQUALS = 100;

/** A member in whose name a level is granted. */
interface Grantor extends PowerfulMember {
  /** How events in their name are sent. */
  readonly send: SendOptions;
}

/** The sender of the power levels event, and whether the target must still be invited. */
interface Grant extends Grantor {
  readonly invite: boolean;
}

/**
 * Gives a user the level of the most powerful local member of a room, in that member's name; also invites the user, if
 * the room is not public (behaviour.md 10.13, 13.5). Nobody gets power in a room of server notices.
 */
export async function makeRoomAdmin(deps: Deps, request: MakeRoomAdminRequest, context: HandlerContext) {
  raiseDeferredOf(context);
  const roomId = await namedRoom(deps, request.roomIdOrAlias);
  raiseDeferred(context);
  const target = request.userId ?? ownUserId(context);
  if (!parseUserId(target)) throw refuse.invalidParam("'user_id' is not a user id");
  await refuseNoticesAccount(deps, target);
  const caller = requester(context);
  const options = { traceparent: context.requestHeader.get(headers.traceparent) ?? '' };
  const missing = () => refuse.unknown('This server is not in the room');
  const account = await accountOf(deps, target);
  // In one commit: a user who cannot be invited gets no level.
  const grant = async (view: RoomView) => {
    const { userId: sender, send, invite } = await grantLevel(deps, view, target, caller);
    const invitation = { roomId, sender, target, membership: 'invite', action: 'invite' } as const;
    if (invite) await addMember(deps, view, invitation, { account, send });
  };
  await append(deps, roomId, grant, { ...options, missing });
  reportEvent(context, RoomAdminMadeSchema, { roomId, userId: target }, [roomId, target]);
  return {};
}

/** @throws refuse.missingParam when the caller has no account */
function ownUserId(context: HandlerContext): string {
  const caller = requester(context);
  if (!hasAccount(caller)) throw refuse.missingParam("'user_id' is required: the caller has no account");
  return caller.userId;
}

async function grantLevel(deps: Deps, view: RoomView, target: string, caller: Requester): Promise<Grant> {
  const version = findRoomVersion(view.room.room_version);
  if (!version) throw refuse.unknown('This server does not support the version of the room');
  await refuseNoticeRoom(deps, view.room);
  const state = await view.lookup([
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
    ['m.room.join_rules', ''],
  ]);
  const levels = powerLevelsOf(state, version);
  const grantor = await findGrantor(deps, view, version, caller);
  // In versions with creators above all levels, creators cannot be given a level.
  if (!levels.creators.includes(target)) await setLevel(view, version, levels, grantor, target);
  const membership = await view.membership(target);
  const entered = membership === 'join' || membership === 'invite' || joinRuleOf(state) === 'public';
  return { ...grantor, invite: !entered };
}

/**
 * The most powerful local member. For a caller who is not a server administrator, of equals the first without administrative rights;
 * if all have some, members see who ordered it.
 *
 * @throws refuse.unknown when no user of this server has power in the room
 */
async function findGrantor(
  deps: Deps,
  view: RoomView,
  version: RoomVersion,
  caller: Requester,
): Promise<Grantor> {
  const equals: PowerfulMember[] = [];
  for await (const member of localMembersByPower(deps, view, version)) {
    if (await isNoticesAccount(deps, member.userId)) continue;
    if (equals[0] && equals[0].level !== member.level) break;
    equals.push(member);
    if (caller.admin || equals.length === MAX_EQUALS) break;
  }
  const [first] = equals;
  if (!first) throw refuse.unknown('No user of this server who has power is in the room');
  if (caller.admin) return { ...first, send: {} };
  const scopes = await deps.authority.scopesOver(equals.map(({ userId }) => userId));
  const plain = equals.find(({ userId }) => !scopes.has(userId));
  if (plain) return { ...plain, send: {} };
  return { ...first, send: { orderedBy: caller.owner, showsOrder: first.userId !== caller.owner } };
}

/** @throws refuse.unknown when the room does not admit the event */
async function setLevel(
  view: RoomView,
  version: RoomVersion,
  { content, creators }: PowerLevels,
  grantor: Grantor,
  target: string,
): Promise<void> {
  const before: JsonObject = content ?? {};
  const users = own(before, 'users');
  // The implied level of the creator ends with the first power levels event, so that event lists it.
  const implied = content === undefined && creators.length === 0 ? { [grantor.userId]: grantor.level } : {};
  const listed = { ...(isObject(users) ? users : {}), ...implied };
  const draft = {
    type: 'm.room.power_levels',
    state_key: '',
    sender: grantor.userId,
    content: { ...before, users: { ...listed, [target]: grantor.level } },
  };
  const denial = authorize(draft, version, await view.lookup(authStateKeys(draft)));
  if (denial) throw refuse.unknown(`The room does not admit it: ${denial.message}`);
  await view.add(draft, grantor.send);
}
