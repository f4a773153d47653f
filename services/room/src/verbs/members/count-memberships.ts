import type { CountMembershipsRequest } from '@steward/proto/steward/room/v1/user_rooms_pb.ts';
import type { Deps } from '../../core/deps.ts';
import type { PRESENT } from '../../core/model/member.ts';

/** Counts the rooms in which a user is, or waits to enter: those that a deactivation makes the user leave. */
export async function countMemberships(
  { members }: Pick<Deps, 'members'>,
  { userId }: CountMembershipsRequest,
) {
  const count = async (membership: (typeof PRESENT)[number]) =>
    BigInt(await members.countDocuments({ user_id: userId, membership }));
  return { joined: await count('join'), invited: await count('invite'), knocked: await count('knock') };
}
