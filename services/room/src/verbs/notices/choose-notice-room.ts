import type { ChooseNoticeRoomRequest } from '@steward/proto/steward/room/v1/notices_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { membershipsOf } from '../../core/membership/memberships-of.ts';
import { memberId } from '../../core/model/member.ts';
import { hasNoOthers } from '../../core/notices/notice-rooms.ts';
import { newRoomId } from '../../core/protocol/mod.ts';

const counted = { joined_members: 1, invited_members: 1 } as const;

/** The memberships with which a user receives notices. */
const READING = ['join', 'invite'] as const;

/**
 * Chooses a room for sending notices to a user: the user is joined or invited, and the sender is joined (behaviour.md
 * 7.1). Without such a room, returns an unused room id.
 */
export async function chooseNoticeRoom(
  deps: Pick<Deps, 'members' | 'rooms' | 'random' | 'serverName'>,
  { userId, sender }: ChooseNoticeRoomRequest,
) {
  for (const membership of READING) {
    for await (const page of membershipsOf(deps, userId, membership)) {
      const ids = page.map(({ room_id }) => memberId(room_id, sender));
      const shared = await deps.members
        .find({ _id: { $in: ids }, membership: 'join' }, { projection: { room_id: 1 } })
        .toArray();
      const rooms = await deps.rooms
        .find({ _id: { $in: shared.map(({ room_id }) => room_id) } }, { projection: counted })
        .toArray();
      const found = rooms.find(hasNoOthers);
      if (found) return { roomId: found._id, exists: true };
    }
  }
  return { roomId: newRoomId(deps.random, deps.serverName), exists: false };
}
