import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { ForgetRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { requester } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { memberId } from '../../core/model/member.ts';

/** Forgets a room that the caller has left (client-plane.md 7.9). */
export async function forget(deps: Deps, request: ForgetRequest, context: HandlerContext) {
  await loadRoom(deps, request.roomId);
  await forgetRoom(deps, request.roomId, requester(context).userId);
  return {};
}

/**
 * Marks a room as forgotten by a user; the caller has loaded the room. A later membership removes the mark.
 *
 * @throws refuse.unknown while the user is joined or invited, or has knocked
 */
async function forgetRoom(deps: Pick<Deps, 'members'>, roomId: string, userId: string): Promise<void> {
  const _id = memberId(roomId, userId);
  const left = { _id, membership: { $in: ['leave', 'ban'] } };
  const { matchedCount } = await deps.members.updateOne(left, { $set: { forgotten: true } });
  if (matchedCount > 0) return;
  const member = await deps.members.findOne({ _id, arrival: { $gt: 0 } });
  if (member) throw refuse.unknown('The room must be left before it can be forgotten');
}
