import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { type JsonObject, own, randomId } from '@steward/kernel';
import { once } from '@steward/limits';
import type { PutStateRequest } from '@steward/proto/steward/room/v1/events_pb.ts';
import { headers, type Requester, requester } from '@steward/rpc';
import { append } from '../../core/aggregate/append.ts';
import type { Deps } from '../../core/deps.ts';
import { requestMembership } from '../../core/membership/change-membership.ts';
import { enterRoom } from '../../core/membership/enter-room.ts';
import { inviteUser } from '../../core/membership/invite-user.ts';
import { isMembership, isUserId, parseContent } from '../../core/protocol/mod.ts';
import { inventEventId } from '../../core/reading/transaction.ts';
import { delayAsShadowBanned } from '../../core/refusals/delay-as-shadow-banned.ts';
import { refuseOverLimit } from '../../core/refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../../core/refusals/refuse-suspended.ts';
import { addChecked } from '../../core/sending/add-checked.ts';
import type { RoomView } from '../../core/view/room-view.ts';

/** Sends a state event; a member event changes a membership (client-plane.md 7.9, 7.10). */
export async function putState(deps: Deps, request: PutStateRequest, context: HandlerContext) {
  const caller = requester(context);
  const { roomId, eventType: type, stateKey } = request;
  const content = parseContent(request.content);
  const traceparent = context.requestHeader.get(headers.traceparent) ?? '';
  if (type === 'm.room.member') {
    return { eventId: await putMember(deps, caller, roomId, stateKey, content, traceparent) };
  }
  refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  if (caller.shadowBanned) {
    await delayAsShadowBanned(deps);
    return { eventId: inventEventId(deps, randomId(deps.random)) };
  }
  const draft = { type, state_key: stateKey, sender: caller.userId, content };
  const count = once(() => deps.limits.message.take(caller));
  const add = (view: RoomView) => addChecked(deps, view, draft, { count });
  return { eventId: await append(deps, roomId, add, { traceparent }) };
}

async function putMember(
  deps: Deps,
  caller: Requester,
  roomId: string,
  target: string,
  content: JsonObject,
  traceparent: string,
): Promise<string> {
  const membership = own(content, 'membership');
  if (!isUserId(target)) throw refuse.invalidParam('The state key is not a user id');
  if (membership === undefined) throw refuse.missingParam("'membership' is missing");
  if (!isMembership(membership)) {
    throw refuse.unknown("'membership' must be one of ban, invite, join, knock, leave");
  }
  if (membership === 'invite') return inviteUser(deps, caller, roomId, target, content, traceparent);
  if (membership === 'join' && target === caller.userId)
    return enterRoom(deps, caller, roomId, content, traceparent);
  if (membership !== 'leave' || target !== caller.userId) {
    refuseSuspended(caller);
    refuseOverLimit(deps, caller);
  }
  return requestMembership(deps, { caller, roomId, target, membership, given: content }, { traceparent });
}
