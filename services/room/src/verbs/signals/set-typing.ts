import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { SetTypingRequest } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { requester } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { memberId } from '../../core/model/member.ts';
import { delayAsShadowBanned } from '../../core/refusals/delay-as-shadow-banned.ts';

/** Accepts a typing notification, which is not distributed (client-plane.md 7.10). */
export async function setTyping(deps: Deps, { roomId, userId }: SetTypingRequest, context: HandlerContext) {
  const caller = requester(context);
  if (userId !== caller.userId) throw refuse.forbidden('Only for oneself');
  if (caller.shadowBanned) {
    await delayAsShadowBanned(deps);
    return {};
  }
  await loadRoom(deps, roomId);
  const member = await deps.members.findOne({ _id: memberId(roomId, userId) });
  if (member?.membership !== 'join') throw refuse.forbidden('You are not in this room');
  return {};
}
