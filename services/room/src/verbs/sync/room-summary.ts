import type { Deps } from '../../core/deps.ts';
import type { Room } from '../../core/model/room.ts';

/** Of how many members a room is called that has no name. */
const MAX_HEROES = 5;

/** A room at a glance, for one of its members. */
export interface RoomSummary {
  readonly heroes: readonly string[];
  readonly joinedMemberCount: bigint;
  readonly invitedMemberCount: bigint;
}

/** Types of state events after which a room's summary may be another. */
export const SUMMARISED_TYPES: ReadonlySet<string> = new Set([
  'm.room.member',
  'm.room.name',
  'm.room.canonical_alias',
]);

/** A room at a glance, for one of its members (client-plane.md 10.2). */
export async function roomSummary(
  deps: Pick<Deps, 'members'>,
  room: Room,
  userId: string,
): Promise<RoomSummary> {
  return {
    heroes: room.name || room.canonical_alias ? [] : await heroesOf(deps, room._id, userId),
    joinedMemberCount: BigInt(room.joined_members),
    invitedMemberCount: BigInt(room.invited_members),
  };
}

/** Some who are in a room or invited, beside the user; without them, some who were. */
async function heroesOf(deps: Pick<Deps, 'members'>, roomId: string, userId: string): Promise<string[]> {
  for (const memberships of [
    ['join', 'invite'],
    ['leave', 'ban'],
  ]) {
    const found = await deps.members
      .find(
        { room_id: roomId, membership: { $in: memberships }, user_id: { $ne: userId } },
        { projection: { user_id: 1 }, limit: MAX_HEROES },
      )
      .toArray();
    if (found.length > 0) return found.map(({ user_id }) => user_id);
  }
  return [];
}
