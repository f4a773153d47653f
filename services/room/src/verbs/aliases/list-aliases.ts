import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { ListAliasesRequest } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { hasScope, requester } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { memberId } from '../../core/model/member.ts';
import { isMembership, mayListAliases } from '../../core/protocol/mod.ts';

/** The most aliases in a response; aliases beyond that still resolve. */
const MAX_ALIASES = 5_000;

/** Lists the aliases of a room; allowed to its members and server administrators (client-plane.md 6.2). */
export async function listAliases(deps: Deps, { roomId }: ListAliasesRequest, context: HandlerContext) {
  const caller = requester(context);
  const { userId } = caller;
  const room = await loadRoom(deps, roomId);
  const member = room && (await deps.members.findOne({ _id: memberId(roomId, userId) }));
  const mayList =
    hasScope(caller, Scope.ROOMS_READ) ||
    mayListAliases({
      membership: isMembership(member?.membership) ? member.membership : undefined,
      hasForgotten: member?.forgotten ?? false,
      isWorldReadable: room?.history_visibility === 'world_readable',
    });
  if (!room || !mayList) throw refuse.forbidden('You are not in this room');
  const found = await deps.aliases
    .find({ room_id: roomId }, { sort: { _id: 1 }, limit: MAX_ALIASES, projection: { _id: 1 } })
    .toArray();
  return { aliases: found.map(({ _id }) => _id) };
}
