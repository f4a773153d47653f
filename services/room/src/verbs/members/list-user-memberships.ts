import type { ListUserMembershipsRequest } from '@steward/proto/steward/room/v1/user_rooms_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { NO_MEMBERSHIP } from '../../core/model/member.ts';

/** Returns the memberships of a user by room (behaviour.md 13.1). */
export async function listUserMemberships(deps: Deps, { userId }: ListUserMembershipsRequest) {
  const memberships: Record<string, string> = {};
  const members = deps.members.find(
    { user_id: userId, membership: { $ne: NO_MEMBERSHIP } },
    { projection: { _id: 0, room_id: 1, membership: 1 } },
  );
  for await (const { room_id, membership } of members) memberships[room_id] = membership;
  return { memberships };
}
