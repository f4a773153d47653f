import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { parseUserId } from '@steward/kernel';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { JoinUserRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { hasAccount, headers, requester, requireUsedScope } from '@steward/rpc';
import { append } from '../../core/aggregate/append.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { namedRoom } from '../../core/aliases/named-room.ts';
import type { Deps } from '../../core/deps.ts';
import { accountOf, addMember } from '../../core/membership/change-membership.ts';
import { memberId } from '../../core/model/member.ts';
import { isNoticeRoom, refuseNoticesAccount } from '../../core/notices/notice-rooms.ts';
import { refuseBlocked } from '../../core/refusals/refuse-blocked.ts';
import type { RoomView } from '../../core/view/room-view.ts';

/**
 * Makes a user of this server join a room (behaviour.md 13.5). If the room is not public, the administrator invites
 * the user first, which requires that the administrator is a member who may invite. A caller without an account invites
 * no one.
 */
export async function joinUser(deps: Deps, request: JoinUserRequest, context: HandlerContext) {
  const { userId } = request;
  await requireLocalUser(deps, userId);
  const roomId = await namedRoom(deps, request.roomIdOrAlias);
  await refuseBlocked(deps, roomId);
  const room = await loadRoom(deps, roomId);
  if (!room) throw refuse.notFoundUnknown('No server is known that is in this room');
  await refuseNoticesAccount(deps, userId);
  // Its reader can be made to join, as with `notices.auto_join`; others are refused by the membership.
  if (await isNoticeRoom(deps, room)) requireUsedScope(context, Scope.NOTICES_SEND);
  const options = { traceparent: context.requestHeader.get(headers.traceparent) ?? '' };
  const member = await deps.members.findOne({ _id: memberId(roomId, userId) });
  const caller = requester(context);
  const needsInvitation = room.join_rules !== 'public' && member?.membership !== 'join';
  if (needsInvitation && !hasAccount(caller) && member?.membership !== 'invite')
    throw refuse.forbidden(
      'The room is not public, and the caller has no account that could invite the user',
    );
  const account = await accountOf(deps, userId);
  const change = { roomId, target: userId };
  // In one commit: a user who cannot join is not invited.
  const enter = async (view: RoomView) => {
    if (needsInvitation && hasAccount(caller)) {
      const invitation = {
        ...change,
        sender: caller.userId,
        membership: 'invite',
        action: 'invite',
      } as const;
      await addMember(deps, view, invitation, { account });
    }
    await addMember(deps, view, { ...change, sender: userId, membership: 'join' }, { account });
  };
  await append(deps, roomId, enter, options);
  return { roomId };
}

async function requireLocalUser(deps: Deps, userId: string): Promise<void> {
  const user = parseUserId(userId);
  if (!user) throw refuse.invalidParam('Not a user id');
  if (user.domain !== deps.serverName) throw refuse.unknown('This works with users of this server only');
  const profile = (await deps.users.profiles([userId])).get(userId);
  if (!profile) throw refuse.notFound('User not found');
  // The account would leave again at once.
  if (profile.deactivated) throw refuse.unknown('The account is deactivated');
}
