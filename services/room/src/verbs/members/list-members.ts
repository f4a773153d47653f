import type { HandlerContext } from '@connectrpc/connect';
import type { ListMembersRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { requester } from '@steward/rpc';
import { readTokenInRoom } from '../../core/cursors/read-token-in-room.ts';
import type { Deps } from '../../core/deps.ts';
import { readMember } from '../../core/model/read-member.ts';
import { toClientEvents } from '../../core/reading/client-events.ts';
import { stateAt } from '../../core/reading/state-at.ts';
import { type ReadAccess, readAccess } from '../../core/visibility/read-access.ts';
import { clientOptionsOf } from '../../core/visibility/visible-events.ts';

/** The arrival of the join of the creator, which follows the creation. */
const FIRST_MEMBER = 2;

/** Lists the member events of a room (client-plane.md 7.10). */
export async function listMembers(deps: Deps, request: ListMembersRequest, context: HandlerContext) {
  const caller = requester(context);
  const { membership, notMembership } = request;
  const at = await readTokenInRoom(deps, caller, request.roomId, request.at);
  const arrival = at?.kind === 'room' ? at.arrival : undefined;
  const access = await readAccess(deps, request.roomId, caller.userId);
  const options = clientOptionsOf(deps, access, caller);
  const chunk: string[] = [];
  for await (const page of stateAt(deps, pointAt(access, arrival), 'm.room.member')) {
    const matching = page.filter((event) => {
      const { membership: actual } = readMember(event);
      return (membership === undefined || actual === membership) && actual !== notMembership;
    });
    chunk.push(...(await toClientEvents(deps, matching, options)));
  }
  return { chunk };
}

/** A token from before the room had members, such as that of the beginning of its timeline, stands for the first of them. */
function pointAt({ roomId, arrival }: ReadAccess, requested = arrival) {
  return { roomId, arrival: Math.min(arrival, Math.max(requested, FIRST_MEMBER)) };
}
