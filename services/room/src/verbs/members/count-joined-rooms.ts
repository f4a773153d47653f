import { clampToSafe } from '@steward/kernel';
import type { CountJoinedRoomsRequest } from '@steward/proto/steward/room/v1/user_rooms_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { firstEpochAt } from '../../core/model/membership-epochs.ts';

/**
 * Counts the rooms that a user has joined since a time (behaviour.md 13.1). The time of the last join, which is all
 * that is stored, suffices: it is the latest of all joins.
 */
export async function countJoinedRooms(deps: Pick<Deps, 'members'>, request: CountJoinedRoomsRequest) {
  const count = await deps.members.countDocuments({
    user_id: request.userId,
    membership: { $in: ['ban', 'invite', 'join', 'knock', 'leave'] },
    stay: { $gte: firstEpochAt(clampToSafe(request.fromTs)) },
  });
  return { cumulativeJoinedRoomCount: BigInt(count) };
}
