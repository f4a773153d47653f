import { isObject, type JsonObject, own } from '@steward/kernel';
import { CREATOR_LEVEL, LEVEL_KEYS, LEVEL_MAPS, readLevel } from './power-levels.ts';
import { type RoomVersion, readingVersion } from './room-versions.ts';

/** The types of state events with an empty key that are copied to the replacement of a room, in this order. */
export const UPGRADED_TYPES = [
  'm.room.join_rules',
  'm.room.history_visibility',
  'm.room.guest_access',
  'm.room.encryption',
  'm.room.name',
  'm.room.topic',
  'm.room.avatar',
  'm.room.server_acl',
] as const;

/** The lowest level required to send messages, or to invite, in a replaced room. */
const CLOSED_LEVEL = 50;

/**
 * The content of the create event of a room's replacement.
 *
 * @param predecessor the room, and its newest event, which versions whose room ids are hashes do not name
 */
export function upgradedCreateContent(
  before: JsonObject,
  predecessor: { readonly roomId: string; readonly lastEventId: string },
  version: RoomVersion,
  additionalCreators: readonly string[],
): JsonObject {
  const kept = ['type', 'm.federate'].filter((key) => Object.hasOwn(before, key));
  return {
    ...Object.fromEntries(kept.map((key) => [key, before[key]])),
    predecessor: {
      room_id: predecessor.roomId,
      ...(version.hashRoomIds ? {} : { event_id: predecessor.lastEventId }),
    },
    ...(additionalCreators.length > 0 ? { additional_creators: additionalCreators } : {}),
  };
}

/**
 * Converts power levels to another version: levels become integers, and creators are listed or removed. Where creators are
 * above the levels, those of the old room keep no power as such: an upgrade is how a room gets other creators. Where they are not,
 * those who were above the levels get the highest of them.
 *
 * @param oldCreators the creators of the old room who are above its levels
 * @param newCreators the creators of the new room
 */
export function upgradedPowerLevels(
  content: JsonObject,
  version: RoomVersion,
  oldCreators: readonly string[],
  newCreators: readonly string[],
): JsonObject {
  const upgraded: Record<string, unknown> = { ...content };
  for (const key of LEVEL_KEYS) if (Object.hasOwn(content, key)) setLevel(upgraded, key, content[key]);
  for (const map of LEVEL_MAPS) {
    const levels = own(content, map);
    if (levels === undefined) continue;
    const entries: Record<string, unknown> = {};
    for (const [key, level] of Object.entries(isObject(levels) ? levels : {})) setLevel(entries, key, level);
    upgraded[map] = entries;
  }
  const users: Record<string, unknown> = { ...(isObject(upgraded.users) ? upgraded.users : {}) };
  if (version.creatorsAboveLevels) for (const userId of newCreators) delete users[userId];
  else {
    // Otherwise what required more than the level of a creator could be done, or changed, by no user.
    const highest = Math.max(CREATOR_LEVEL, ...levelsIn(upgraded));
    for (const userId of oldCreators) users[userId] ??= highest;
  }
  return { ...upgraded, users };
}

/** All levels of some power levels, which are integers. */
function levelsIn(content: JsonObject): readonly number[] {
  const maps = LEVEL_MAPS.map((map) => own(content, map)).filter((map) => isObject(map));
  return [...LEVEL_KEYS.map((key) => own(content, key)), ...maps.flatMap((map) => Object.values(map))].filter(
    (level) => typeof level === 'number',
  );
}

/** The power levels that close a replaced room to users with the default level; `undefined` if it is closed already. */
export function closedPowerLevels(content: JsonObject, version: RoomVersion): JsonObject | undefined {
  const defaultLevel = readLevel(own(content, 'users_default'), version) ?? 0;
  const needed = Math.max(defaultLevel + 1, CLOSED_LEVEL);
  const raised = ['events_default', 'invite'].filter(
    (key) => (readLevel(own(content, key), version) ?? 0) < needed,
  );
  if (raised.length === 0) return undefined;
  return { ...content, ...Object.fromEntries(raised.map((key) => [key, needed])) };
}

function setLevel(levels: Record<string, unknown>, key: string, value: unknown): void {
  // The first version accepts the most forms of levels.
  const level = readLevel(value, readingVersion('1'));
  if (level === undefined) delete levels[key];
  else levels[key] = level;
}
