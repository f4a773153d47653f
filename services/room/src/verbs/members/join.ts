import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { JsonObject } from '@steward/kernel';
import type { JoinRoomOrAliasRequest, JoinRoomRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { headers, type Requester, requester } from '@steward/rpc';
import { resolveRoom } from '../../core/aliases/resolve-room.ts';
import type { Deps } from '../../core/deps.ts';
import { changeMembership } from '../../core/membership/change-membership.ts';
import { memberId } from '../../core/model/member.ts';
import { refuseOverLimit } from '../../core/refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../../core/refusals/refuse-suspended.ts';

/** Joins a room that is named by its id or an alias (client-plane.md 7.9). */
export async function joinRoomOrAlias(deps: Deps, request: JoinRoomOrAliasRequest, context: HandlerContext) {
  const roomId = await resolveRoom(deps, request.roomIdOrAlias);
  return join(deps, roomId, request.reason, context);
}

/** Joins a room (client-plane.md 7.9). */
export async function joinRoom(deps: Deps, request: JoinRoomRequest, context: HandlerContext) {
  return join(deps, request.roomId, request.reason, context);
}

async function join(deps: Deps, roomId: string, reason: string | undefined, context: HandlerContext) {
  const given = reason === undefined ? {} : { reason };
  await enter(deps, requester(context), roomId, given, context.requestHeader.get(headers.traceparent));
  return { roomId };
}

/** Makes the caller join a room; returns the id of the member event. */
export async function enter(
  deps: Deps,
  caller: Requester,
  roomId: string,
  given: JsonObject,
  traceparent: string | null,
): Promise<string> {
  refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  const { userId } = caller;
  const member = await deps.members.findOne({ _id: memberId(roomId, userId) });
  if (member?.membership !== 'join') {
    deps.limits.joinsPerRoom.check(roomId);
    deps.limits.joinsLocal.take(caller);
    deps.limits.joinsPerRoom.take(roomId);
  }
  return changeMembership(
    deps,
    { roomId, sender: userId, target: userId, membership: 'join', given, guest: caller.guest },
    {
      traceparent: traceparent ?? '',
      missing: () => refuse.notFoundUnknown('No server is known that is in this room'),
    },
  );
}
