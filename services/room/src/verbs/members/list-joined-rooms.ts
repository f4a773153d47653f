import type { HandlerContext } from '@connectrpc/connect';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';

/** The rooms in which the caller is (client-plane.md 7.8). */
export async function listJoinedRooms(deps: Deps, context: HandlerContext) {
  return { joinedRooms: await joinedRooms(deps, requester(context).userId) };
}

/** The ids of the rooms in which a user is, in the order of joining. */
export async function joinedRooms(deps: Pick<Deps, 'members'>, userId: string): Promise<string[]> {
  const found = await deps.members
    .find(
      { user_id: userId, membership: 'join' },
      { sort: { stay: 1, room_id: 1 }, projection: { room_id: 1 } },
    )
    .toArray();
  return found.map(({ room_id }) => room_id);
}
