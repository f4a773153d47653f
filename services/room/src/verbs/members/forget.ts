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
 * Lets a user forget a room, which was loaded before. A later membership ends that.
 *
 * @throws refuse.unknown while they are in it, or may be soon
 */
async function forgetRoom(deps: Pick<Deps, 'members'>, roomId: string, userId: string): Promise<void> {
  const _id = memberId(roomId, userId);
  const gone = { _id, membership: { $in: ['leave', 'ban'] } };
  const { matchedCount } = await deps.members.updateOne(gone, { $set: { forgotten: true } });
  if (matchedCount > 0) return;
  const member = await deps.members.findOne({ _id, arrival: { $gt: 0 } });
  if (member) throw refuse.unknown('The room must be left before it can be forgotten');
}
