import type { Deps } from '../deps.ts';
import { toRoomEvent } from '../model/event-form.ts';
import type { Room } from '../model/room.ts';
import { isRestrictedRule, readingVersion, roomsThatAllow } from '../protocol/mod.ts';
import { stateEventAt } from '../reading/state-at.ts';

/** The rooms whose members may join a room; none unless its join rule is restricted. */
export async function allowedRooms(deps: Deps, room: Room): Promise<readonly string[]> {
  const version = readingVersion(room.room_version);
  if (!isRestrictedRule(room.join_rules ?? 'invite', version)) return [];
  const point = { roomId: room._id, arrival: room.arrival };
  const rules = await stateEventAt(deps, point, 'm.room.join_rules', '');
  const state = (type: string) => (rules && type === rules.type ? toRoomEvent(rules) : undefined);
  // Without regard to the membership of any user.
  return roomsThatAllow('', version, state) ?? [];
}
