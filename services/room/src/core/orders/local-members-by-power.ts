import { isObject } from '@steward/kernel';
import type { Deps } from '../deps.ts';
import {
  CREATOR_LEVEL,
  creatorsOf,
  type PowerLevels,
  powerLevelsOf,
  type RoomVersion,
  serverNameOf,
} from '../protocol/mod.ts';
import type { RoomView } from '../view/room-view.ts';

/** How many memberships are read together: power levels can name thousands of users who are not in the room. */
const BATCH = 100;

/** A local member of a room who has power in it. */
export interface PowerfulMember {
  readonly userId: string;
  /** The level that they have and can grant; 100 for a creator above all levels. */
  readonly level: number;
}

/**
 * The joined local members whom the power levels of a room name, the most powerful first; before them the creators, in
 * versions with creators above all levels. In a room without power levels, its creators.
 */
export async function* localMembersByPower(
  { serverName }: Pick<Deps, 'serverName'>,
  view: RoomView,
  version: RoomVersion,
): AsyncGenerator<PowerfulMember> {
  const state = await view.lookup([
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
  ]);
  const create = state('m.room.create', '');
  const creators = create === undefined ? [] : creatorsOf(create, version);
  const levels = powerLevelsOf(state, version);
  const ofCreators = version.creatorsAboveLevels || levels.content === undefined ? creators : [];
  const candidates = [
    ...ofCreators.map((userId): PowerfulMember => ({ userId, level: CREATOR_LEVEL })),
    ...listedUsers(levels),
  ].filter(({ userId }) => serverNameOf(userId) === serverName);
  for (let from = 0; from < candidates.length; from += BATCH) {
    const batch = candidates.slice(from, from + BATCH);
    await view.prepare(batch.map(({ userId }) => ['m.room.member', userId]));
    for (const candidate of batch) if ((await view.membership(candidate.userId)) === 'join') yield candidate;
  }
}

/** The users whom the power levels name, the most powerful first; among equals, the user who is listed last. */
function listedUsers({ content, ofUser }: PowerLevels): readonly PowerfulMember[] {
  return Object.keys(isObject(content?.users) ? content.users : {})
    .reverse()
    .map((userId): PowerfulMember => ({ userId, level: ofUser(userId) }))
    .sort((a, b) => b.level - a.level);
}
