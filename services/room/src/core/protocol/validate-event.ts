import { refuse } from '@steward/errors';
import { isObject, type JsonObject, own, ownString } from '@steward/kernel';
import { type EventDraft, isMembership } from './event.ts';
import { isEventId, isRoomAlias, isUserId } from './ids.ts';
import { LEVEL_KEYS, LEVEL_MAPS } from './power-levels.ts';
import { isServerAllowed } from './server-acl.ts';

/** The data of a room on which the validity of a new event depends. */
export interface ValidationContext {
  /** `undefined` for the initial events of a room whose id is not known yet. */
  readonly roomId: string | undefined;
  readonly serverName: string;
  /** See `joinRuleOf`. */
  readonly joinRule: string;
}

type Check = (event: EventDraft, context: ValidationContext) => void;

const CHECKS: Readonly<Record<string, Check>> = {
  'm.room.message': ({ content }) => requireStrings(content, ['body', 'msgtype']),
  'm.room.name': (event) => {
    requireState(event);
    requireStrings(event.content, ['name']);
  },
  'm.room.topic': (event) => {
    requireState(event);
    requireStrings(event.content, ['topic']);
  },
  'm.room.member': checkMember,
  'm.room.power_levels': ({ content }) => checkPowerLevels(content),
  'm.room.redaction': checkRedaction,
  'm.room.tombstone': checkTombstone,
  'm.room.canonical_alias': ({ content }) => {
    aliasesOf(content);
  },
  'm.room.server_acl': ({ content }, { serverName }) => {
    if (!isServerAllowed(serverName, content)) throw refuse.unknown('This server ACL would deny this server');
  },
  'm.call.invite': ({ state_key }, { joinRule }) => {
    if (state_key === undefined && joinRule === 'public') {
      throw refuse.forbidden('A call cannot be sent to a public room');
    }
  },
};

/**
 * Refuses a new event whose content is not valid for its type (client-plane.md 4.6). `checkRelation` and `newAliases`
 * check what depends on other events or on aliases.
 *
 * @throws a refusal of status 400, or 403 for calls in public rooms
 */
export function validateEvent(event: EventDraft, context: ValidationContext): void {
  for (const text of [event.type, event.state_key]) {
    // Some engines cannot store NUL, and no visible text contains it.
    if (text?.includes('\0')) throw refuse.invalidParam('Types and state keys must not hold NUL');
  }
  if (Object.hasOwn(CHECKS, event.type)) CHECKS[event.type]?.(event, context);
  const mentions = own(event.content, 'm.mentions');
  if (mentions !== undefined) checkMentions(mentions);
}

/** The aliases in a canonical alias event. */
interface Aliases {
  readonly alias: string | undefined;
  readonly alternatives: readonly string[];
}

/**
 * The aliases that a canonical alias event adds to those of the previous one: each must stand for the room, or the
 * event is refused with `M_BAD_ALIAS`.
 *
 * @throws refuse.invalidParam for an invalid alias
 */
export function newAliases(content: JsonObject, before: JsonObject = {}): readonly string[] {
  const { alias, alternatives } = aliasesOf(content);
  const claimed = new Set(alias !== undefined && alias !== own(before, 'alias') ? [alias] : []);
  const old = own(before, 'alt_aliases');
  const known = new Set<unknown>(Array.isArray(old) ? old : []);
  for (const alternative of alternatives) if (!known.has(alternative)) claimed.add(alternative);
  return [...claimed];
}

function aliasesOf(content: JsonObject): Aliases {
  // An absent alias, null and the empty string all remove the alias.
  const alias = own(content, 'alias') || undefined;
  const alternatives = own(content, 'alt_aliases') ?? [];
  if (alias !== undefined && !isAlias(alias)) throw refuse.invalidParam("'alias' is not a room alias");
  if (!Array.isArray(alternatives) || !alternatives.every(isAlias)) {
    throw refuse.invalidParam("'alt_aliases' is not a list of room aliases");
  }
  return { alias, alternatives };
}

function isAlias(value: unknown): value is string {
  return typeof value === 'string' && isRoomAlias(value);
}

function checkMember(event: EventDraft): void {
  requireState(event);
  if (!isMembership(own(event.content, 'membership'))) {
    throw refuse.unknown("'membership' must be one of ban, invite, join, knock, leave");
  }
  if (!isUserId(event.state_key ?? '')) throw refuse.invalidParam('The state key is not a user id');
}

function checkPowerLevels(content: JsonObject): void {
  for (const key of LEVEL_KEYS) requireLevel(content, key);
  for (const map of LEVEL_MAPS) {
    const entries = own(content, map);
    if (entries === undefined) continue;
    if (!isObject(entries)) throw refuse.badJson(`'${map}' must be an object`);
    for (const key of Object.keys(entries)) {
      requireLevel(entries, key);
      if (map === 'users' && !isUserId(key)) throw refuse.badJson("A key of 'users' is not a user id");
    }
  }
}

function requireLevel(levels: JsonObject, key: string): void {
  if (Object.hasOwn(levels, key) && !Number.isSafeInteger(levels[key])) {
    throw refuse.badJson(`The level of '${key}' must be an integer`);
  }
}

function checkRedaction({ redacts, content }: EventDraft): void {
  for (const id of [redacts, own(content, 'redacts')]) {
    if (id !== undefined && !(typeof id === 'string' && isEventId(id))) {
      throw refuse.invalidParam("'redacts' is not an event id");
    }
  }
}

function checkTombstone({ content }: EventDraft, { roomId }: ValidationContext): void {
  const replacement = ownString(content, 'replacement_room');
  if (replacement === undefined) throw refuse.unknown("'replacement_room' must be a string");
  if (replacement === roomId) throw refuse.unknown('A room cannot be replaced by itself');
}

function checkMentions(mentions: unknown): void {
  if (!isObject(mentions)) throw refuse.badJson("'m.mentions' must be an object");
  const { user_ids: userIds = [], room = false } = mentions;
  if (!Array.isArray(userIds) || !userIds.every((userId) => typeof userId === 'string')) {
    throw refuse.badJson("'m.mentions.user_ids' must be a list of strings");
  }
  if (typeof room !== 'boolean') throw refuse.badJson("'m.mentions.room' must be a boolean");
}

function requireState(event: EventDraft): void {
  if (event.state_key === undefined) throw refuse.unknown(`${event.type} must be a state event`);
}

function requireStrings(content: JsonObject, keys: readonly string[]): void {
  for (const key of keys) {
    if (ownString(content, key) === undefined) throw refuse.unknown(`'${key}' must be a string`);
  }
}
