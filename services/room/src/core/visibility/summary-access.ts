import type { Deps } from '../deps.ts';
import { memberId } from '../model/member.ts';
import type { Room } from '../model/room.ts';
import { allowedRooms } from './allowed-rooms.ts';

/** The join rules of rooms of which anyone may learn. */
const OPEN: ReadonlySet<string | null> = new Set(['public', 'knock', 'knock_restricted']);

/** The membership of a user in a room, and whether the user may see the summary of the room (client-plane.md 12). */
export interface SummaryAccess {
  readonly membership: string;
  readonly isGranted: boolean;
}

/**
 * Whether a user may see the summary of a room: its members and those who wait to enter it, everyone where it may be joined
 * or read, and the members of rooms that open it. Those who are banned may not, unless anyone can read it.
 *
 * @param userId undefined for someone without an account
 */
export async function summaryAccess(
  deps: Deps,
  room: Room,
  userId: string | undefined,
): Promise<SummaryAccess> {
  const member =
    userId === undefined ? null : await deps.members.findOne({ _id: memberId(room._id, userId) });
  const membership = member && member.arrival > 0 ? member.membership : 'leave';
  const granted = (isGranted: boolean) => ({ membership, isGranted });
  if (room.history_visibility === 'world_readable') return granted(true);
  if (membership === 'ban') return granted(false);
  if (membership !== 'leave' || OPEN.has(room.join_rules)) return granted(true);
  if (room.join_rules !== 'restricted' || userId === undefined) return granted(false);
  const ids = (await allowedRooms(deps, room)).map((roomId) => memberId(roomId, userId));
  return granted((await deps.members.findOne({ _id: { $in: ids }, membership: 'join' })) !== null);
}
