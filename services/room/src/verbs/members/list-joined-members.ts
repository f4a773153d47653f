import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  JoinedMemberSchema,
  ListJoinedMembersRequest,
} from '@steward/proto/steward/room/v1/members_pb.ts';
import { requester } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { memberId } from '../../core/model/member.ts';

/** Lists the joined members of a room that the caller has joined (client-plane.md 7.10). */
export async function listJoinedMembers(
  deps: Deps,
  { roomId }: ListJoinedMembersRequest,
  context: HandlerContext,
) {
  await loadRoom(deps, roomId);
  const caller = await deps.members.findOne({ _id: memberId(roomId, requester(context).userId) });
  if (caller?.membership !== 'join') throw refuse.forbidden('You are not in this room');
  const joined: Record<string, MessageInitShape<typeof JoinedMemberSchema>> = Object.create(null);
  const members = deps.members.find(
    { room_id: roomId, membership: 'join' },
    { projection: { user_id: 1, displayname: 1, avatar_url: 1 } },
  );
  for await (const { user_id, displayname, avatar_url } of members) {
    joined[user_id] = { displayName: displayname ?? undefined, avatarUrl: avatar_url ?? undefined };
  }
  return { joined };
}
