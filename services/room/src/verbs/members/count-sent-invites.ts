import { clampToSafe } from '@steward/kernel';
import type { CountSentInvitesRequest } from '@steward/proto/steward/room/v1/user_rooms_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** Counts the invitations by a user that this server has received since a time (behaviour.md 13.1). */
export async function countSentInvites(deps: Pick<Deps, 'events'>, request: CountSentInvitesRequest) {
  const inviteCount = await deps.events.countDocuments({
    inviter: request.userId,
    received_ts: { $gte: clampToSafe(request.fromTs) },
    // Excludes events that no commit has admitted.
    arrival: { $gt: 0 },
  });
  return { inviteCount: BigInt(inviteCount) };
}
