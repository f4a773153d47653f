import { isObject, type JsonObject, own, stringsOf } from '@steward/kernel';
import type { EventDraft, RoomEvent, StateLookup } from './event.ts';
import type { RoomVersion } from './room-versions.ts';

/** The level of the creator of a room without power levels. */
export const CREATOR_LEVEL = 100;
/** The default level for moderating, and for sending state events. */
const MODERATOR_LEVEL = 50;

/** An action other than sending an event that requires a level. */
export type PoweredAction = 'ban' | 'invite' | 'kick' | 'redact';

const ACTION_DEFAULTS: Readonly<Record<PoweredAction, number>> = {
  ban: MODERATOR_LEVEL,
  invite: 0,
  kick: MODERATOR_LEVEL,
  redact: MODERATOR_LEVEL,
};

/** An integer in a string, which versions without `integerLevels` accept. */
const WRITTEN_LEVEL = /^\s*[+-]?[0-9]{1,16}\s*$/;

/** The levels of users in a room, and the levels that actions require (client-plane.md 5.1). */
export interface PowerLevels {
  /** The creators, who are above every level; empty in versions without such creators. */
  readonly creators: readonly string[];
  /** The content of the power levels event; `undefined` if the room has none. */
  readonly content: JsonObject | undefined;
  /** The level of a user; `Infinity` for creators above every level. */
  ofUser(userId: string): number;
  /** The level required to send an event of a type. */
  toSend(type: string, isState: boolean): number;
  /** The level required for an action. */
  toDo(action: PoweredAction): number;
  /** The level required to notify the whole room. */
  toNotifyRoom(): number;
}

/** The power levels of a state. */
export function powerLevelsOf(state: StateLookup, version: RoomVersion): PowerLevels {
  const create = state('m.room.create', '');
  const content = state('m.room.power_levels', '')?.event.content;
  const creators = create === undefined ? [] : creatorsOf(create, version);
  const above = version.creatorsAboveLevels ? creators : [];
  const read = (value: unknown) => readLevel(value, version);
  const ofUser = (userId: string): number => {
    if (above.includes(userId)) return Number.POSITIVE_INFINITY;
    if (content === undefined) return creators.includes(userId) ? CREATOR_LEVEL : 0;
    return read(own(content.users, userId)) ?? read(own(content, 'users_default')) ?? 0;
  };
  const toSend = (type: string, isState: boolean): number =>
    read(own(own(content, 'events'), type)) ??
    (isState
      ? (read(own(content, 'state_default')) ?? MODERATOR_LEVEL)
      : (read(own(content, 'events_default')) ?? 0));
  return {
    creators: above,
    content,
    ofUser,
    toSend,
    toDo: (action) => read(own(content, action)) ?? ACTION_DEFAULTS[action],
    toNotifyRoom: () => read(own(own(content, 'notifications'), 'room')) ?? MODERATOR_LEVEL,
  };
}

/** Reads a level by the rules of a version; `undefined` for an invalid one. */
export function readLevel(value: unknown, version: RoomVersion): number | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value;
    return version.integerLevels || !Number.isFinite(value) ? undefined : Math.trunc(value);
  }
  if (version.integerLevels || typeof value !== 'string' || !WRITTEN_LEVEL.test(value)) return undefined;
  const level = Number(value);
  return Number.isSafeInteger(level) ? level : undefined;
}

/** The creators of a room: one user, or, in versions with creators above levels, all that the create event names. */
export function creatorsOf(create: Pick<RoomEvent, 'event'>, version: RoomVersion): readonly string[] {
  const { sender, content } = create.event;
  if (version.creatorsAboveLevels) return [sender, ...stringsOf(content.additional_creators)];
  if (version.implicitCreator) return [sender];
  return typeof content.creator === 'string' ? [content.creator] : [sender];
}

/** The maps of a power levels event whose values are levels. */
export const LEVEL_MAPS = ['users', 'events', 'notifications'] as const;

/** The keys of a power levels event whose values are levels. */
export const LEVEL_KEYS = [
  'users_default',
  'events_default',
  'state_default',
  'ban',
  'redact',
  'kick',
  'invite',
] as const;

/** The creator above the levels to whom an event gives a level all the same. */
export function findListedCreator({ content }: EventDraft, { creators }: PowerLevels): string | undefined {
  return creators.find((creator) => own(content.users, creator) !== undefined);
}

/**
 * Returns why a sender may not change the power levels to those of an event; `undefined` if they may (client-plane.md
 * 5.4). Checks the shape of the content only as far as the version requires.
 */
export function findForbiddenLevel(
  event: EventDraft,
  levels: PowerLevels,
  version: RoomVersion,
): string | undefined {
  const violation = findInvalidLevel(event.content, version);
  if (violation !== undefined) return violation;
  if (levels.content === undefined) return undefined;
  return findExcess(event, levels.content, levels.ofUser(event.sender), version);
}

/** The first change that exceeds the level of the sender. */
function findExcess(
  event: EventDraft,
  before: JsonObject,
  ownLevel: number,
  version: RoomVersion,
): string | undefined {
  const maps = LEVEL_MAPS.filter((map) => map !== 'notifications' || version.notificationLevels);
  const pairs = [
    ...LEVEL_KEYS.map((key) => [key, own(before, key), own(event.content, key)] as const),
    ...maps.flatMap((map) => pairEntries(map, own(before, map), own(event.content, map))),
  ];
  for (const [name, was, becomes] of pairs) {
    const old = readLevel(was, version);
    const next = readLevel(becomes, version);
    if (old === next) continue;
    if (next !== undefined && next > ownLevel) return `'${name}' is raised above the sender's own level`;
    if (old === undefined || name === `users.${event.sender}`) continue;
    // The level of another user can be changed only if it is below the sender's; any other level also if it is equal.
    if (name.startsWith('users.') ? old >= ownLevel : old > ownLevel) {
      return `'${name}' is beyond the sender's own level`;
    }
  }
  return undefined;
}

/** The entries that a map has before or after a change: `map.key`, the old value, the new value. */
function pairEntries(map: string, before: unknown, after: unknown): [string, unknown, unknown][] {
  const keys = new Set([before, after].flatMap((entries) => (isObject(entries) ? Object.keys(entries) : [])));
  return [...keys].map((key) => [`${map}.${key}`, own(before, key), own(after, key)]);
}

/** The first violation of the shape that a version requires of a power levels event. */
function findInvalidLevel(content: JsonObject, version: RoomVersion): string | undefined {
  const users = own(content, 'users');
  if (users !== undefined && !isObject(users)) return "'users' is not an object";
  for (const [userId, level] of Object.entries(users ?? {})) {
    if (!userId.startsWith('@') || !userId.includes(':')) return "A key of 'users' is not a user id";
    if (readLevel(level, version) === undefined) return "A value of 'users' is not a power level";
  }
  if (!version.integerLevels) return undefined;
  const key = LEVEL_KEYS.find((name) => hasInvalidLevel(content, name, version));
  if (key !== undefined) return `'${key}' is not an integer`;
  for (const map of ['events', 'notifications']) {
    const entries = own(content, map);
    if (entries === undefined) continue;
    if (!isObject(entries)) return `'${map}' is not an object`;
    if (Object.keys(entries).some((name) => hasInvalidLevel(entries, name, version))) {
      return `A value of '${map}' is not an integer`;
    }
  }
  return undefined;
}

/** Whether an object has a key whose value is not a level. */
function hasInvalidLevel(value: JsonObject, key: string, version: RoomVersion): boolean {
  return Object.hasOwn(value, key) && readLevel(value[key], version) === undefined;
}
