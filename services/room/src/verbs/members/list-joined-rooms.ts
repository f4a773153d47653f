import type { HandlerContext } from '@connectrpc/connect';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { joinedRooms } from '../../core/membership/joined-rooms.ts';

/** Lists the rooms that the caller has joined (client-plane.md 7.8). */
export async function listJoinedRooms(deps: Deps, context: HandlerContext) {
  return { joinedRooms: await joinedRooms(deps, requester(context).userId) };
}
