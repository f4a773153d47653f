import type { CountJoinedRoomsRequest } from '@steward/proto/steward/room/v1/user_rooms_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { clampToSafe } from '../../core/model/clamp-to-safe.ts';
import { firstEpochAt } from '../../core/model/membership-epochs.ts';

/**
 * How many rooms a user has joined since a time (behaviour.md 13.1). A user who joined a room since then also
 * joined it last since then, so that it is enough to know the last time.
 */
export async function countJoinedRooms(deps: Pick<Deps, 'members'>, request: CountJoinedRoomsRequest) {
  const count = await deps.members.countDocuments({
    user_id: request.userId,
    membership: { $in: ['ban', 'invite', 'join', 'knock', 'leave'] },
    stay: { $gte: firstEpochAt(clampToSafe(request.fromTs)) },
  });
  return { cumulativeJoinedRoomCount: BigInt(count) };
}
