import type { ChooseNoticeRoomRequest } from '@steward/proto/steward/room/v1/notices_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { membershipsOf } from '../../core/membership/memberships-of.ts';
import { memberId } from '../../core/model/member.ts';
import { newRoomId } from '../../core/protocol/mod.ts';

/** The memberships with which a user receives notices. */
const READING = ['join', 'invite'] as const;

/**
 * Chooses a room for sending notices to a user: the user is joined or invited, and the sender is joined (behaviour.md
 * 7.1). Without such a room, returns an unused room id.
 */
export async function chooseNoticeRoom(
  deps: Pick<Deps, 'members' | 'random' | 'serverName'>,
  { userId, sender }: ChooseNoticeRoomRequest,
) {
  for (const membership of READING) {
    for await (const page of membershipsOf(deps, userId, membership)) {
      const ids = page.map(({ room_id }) => memberId(room_id, sender));
      const found = await deps.members
        .find({ _id: { $in: ids }, membership: 'join' }, { projection: { room_id: 1 }, limit: 1 })
        .toArray();
      if (found[0]) return { roomId: found[0].room_id, exists: true };
    }
  }
  return { roomId: newRoomId(deps.random, deps.serverName), exists: false };
}
