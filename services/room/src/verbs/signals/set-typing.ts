import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { SetTypingRequest } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { requester } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { memberId } from '../../core/model/member.ts';
import { delayAsShadowBanned } from '../../core/refusals/delay-as-shadow-banned.ts';

/** How long a user is typing unless the request says it, in milliseconds. */
const TYPING_MS = 30_000;

/** Shows the members of a room that the caller is typing, or has stopped (client-plane.md 7.10, 12). */
export async function setTyping(deps: Deps, request: SetTypingRequest, context: HandlerContext) {
  const { roomId, userId, typing, timeout = BigInt(TYPING_MS) } = request;
  const caller = requester(context);
  if (userId !== caller.userId) throw refuse.forbidden('You can set only your own typing state');
  if (caller.shadowBanned) {
    await delayAsShadowBanned(deps);
    return {};
  }
  await loadRoom(deps, roomId);
  const member = await deps.members.findOne({ _id: memberId(roomId, userId) });
  if (member?.membership !== 'join') throw refuse.forbidden('You are not in this room');
  if (typing && timeout > 0n) deps.typing.begin(roomId, userId, Number(timeout));
  else deps.typing.end(roomId, userId);
  return {};
}
