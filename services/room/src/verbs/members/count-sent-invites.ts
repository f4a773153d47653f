import type { CountSentInvitesRequest } from '@steward/proto/steward/room/v1/user_rooms_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { clampToSafe } from '../../core/model/clamp-to-safe.ts';

/** How many invitations of a user this server got since a time (behaviour.md 13.1). */
export async function countSentInvites(deps: Pick<Deps, 'events'>, request: CountSentInvitesRequest) {
  const inviteCount = await deps.events.countDocuments({
    inviter: request.userId,
    received_ts: { $gte: clampToSafe(request.fromTs) },
    // Those that no commit has admitted have none.
    arrival: { $gt: 0 },
  });
  return { inviteCount: BigInt(inviteCount) };
}
