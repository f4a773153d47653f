import type { Deps } from '../deps.ts';

/** The ids of the rooms that a user has joined, in the order of joining. */
export async function joinedRooms(deps: Pick<Deps, 'members'>, userId: string): Promise<string[]> {
  const found = await deps.members
    .find(
      { user_id: userId, membership: 'join' },
      { sort: { stay: 1, room_id: 1 }, projection: { _id: 0, room_id: 1 } },
    )
    .toArray();
  return found.map(({ room_id }) => room_id);
}
