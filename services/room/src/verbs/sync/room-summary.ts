import type { Deps } from '../../core/deps.ts';
import type { Room } from '../../core/model/room.ts';

/** The most members after whom clients name a room without a name. */
const MAX_HEROES = 5;

/** The summary of a room for one of its members. */
export interface RoomSummary {
  readonly heroes: readonly string[];
  readonly joinedMemberCount: bigint;
  readonly invitedMemberCount: bigint;
}

/** The types of state events that may change the summary of a room. */
export const SUMMARISED_TYPES: ReadonlySet<string> = new Set([
  'm.room.member',
  'm.room.name',
  'm.room.canonical_alias',
]);

/** The summary of a room for one of its members (client-plane.md 10.2). */
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

/** Some joined or invited members other than the user; if there are none, some former members. */
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
