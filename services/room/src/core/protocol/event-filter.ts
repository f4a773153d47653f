import { refuse } from '@steward/errors';
import { isObject, type JsonObject, own } from '@steward/kernel';
import type { RoomEvent } from './event.ts';
import { matchesGlob } from './glob.ts';

/** The patterns with `*` of one list, and the characters of one, at most: each is tried on every event. */
const WILDCARDS_MAX = 100;
const WILDCARD_MAX_CHARS = 255;

/** Event types, some of them with `*` for any characters. */
export interface TypePatterns {
  readonly exact: ReadonlySet<string>;
  readonly wildcards: readonly string[];
}

/** Which events of rooms somebody wants to see, and how. Absent lists ask for everything, empty ones for nothing. */
export interface EventFilter {
  /** The number of events wanted at most. */
  readonly limit: number | undefined;
  readonly types: TypePatterns | undefined;
  readonly notTypes: TypePatterns;
  readonly senders: ReadonlySet<string> | undefined;
  readonly notSenders: ReadonlySet<string>;
  readonly rooms: ReadonlySet<string> | undefined;
  readonly notRooms: ReadonlySet<string>;
  /** Whether the content must, or must not, have a `url`. */
  readonly containsUrl: boolean | undefined;
  /** Whether only the members are wanted who sent something that is shown. */
  readonly lazyLoadMembers: boolean;
  /** Whether those members are wanted again who were sent before. */
  readonly includeRedundantMembers: boolean;
  /** Only events to which one of these users related another. */
  readonly relatedBySenders: ReadonlySet<string> | undefined;
  /** Only events to which another relates in one of these ways. */
  readonly relatedByRelTypes: ReadonlySet<string> | undefined;
  readonly eventFormat: 'client' | 'federation';
}

/** An event that relates to the one that is filtered. */
export interface RelatedEvent {
  readonly sender: string;
  readonly relType: string;
}

/**
 * Reads a filter from JSON text.
 *
 * @throws refuse.notJson for what is no JSON object, refuse.badJson for one of the wrong shape
 */
export function readEventFilter(text: string): EventFilter {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse.notJson('The filter is not JSON');
  }
  if (!isObject(value)) throw refuse.notJson('The filter must be a JSON object');
  return parseEventFilter(value);
}

/**
 * Reads a filter from parsed JSON; keys that it does not know are passed over.
 *
 * @throws refuse.badJson for one of the wrong shape
 */
export function parseEventFilter(value: JsonObject): EventFilter {
  const eventFormat = own(value, 'event_format') ?? 'client';
  if (eventFormat !== 'client' && eventFormat !== 'federation') {
    throw refuse.badJson("'event_format' must be client or federation");
  }
  return {
    limit: readLimit(value),
    types: readTypes(value, 'types'),
    notTypes: readTypes(value, 'not_types') ?? { exact: new Set(), wildcards: [] },
    senders: readStrings(value, 'senders'),
    notSenders: readStrings(value, 'not_senders') ?? new Set(),
    rooms: readStrings(value, 'rooms'),
    notRooms: readStrings(value, 'not_rooms') ?? new Set(),
    containsUrl: readBoolean(value, 'contains_url'),
    lazyLoadMembers: readBoolean(value, 'lazy_load_members') ?? false,
    includeRedundantMembers: readBoolean(value, 'include_redundant_members') ?? false,
    relatedBySenders: readStrings(value, 'related_by_senders'),
    relatedByRelTypes: readStrings(value, 'related_by_rel_types'),
    eventFormat,
  };
}

/** The filter that lets everything through. */
export const NO_FILTER: EventFilter = parseEventFilter({});

/** Whether a filter wants anything of a room. */
export function matchesRoom({ rooms, notRooms }: EventFilter, roomId: string): boolean {
  return !notRooms.has(roomId) && (rooms?.has(roomId) ?? true);
}

/** Whether `matchesEvent` must be told of the events that relate to the one it judges. */
export function asksForRelations({ relatedBySenders, relatedByRelTypes }: EventFilter): boolean {
  return relatedBySenders !== undefined || relatedByRelTypes !== undefined;
}

/**
 * Whether a filter wants an event.
 *
 * @param related the events that relate to it; needed only where the filter asks for relations
 */
export function matchesEvent(
  filter: EventFilter,
  { event, roomId }: Pick<RoomEvent, 'event' | 'roomId'>,
  related: readonly RelatedEvent[] = [],
): boolean {
  if (!matchesRoom(filter, roomId)) return false;
  if (!matchesType(filter, event.type)) return false;
  if (filter.notSenders.has(event.sender)) return false;
  if (!(filter.senders?.has(event.sender) ?? true)) return false;
  if (filter.containsUrl !== undefined) {
    if ((typeof own(event.content, 'url') === 'string') !== filter.containsUrl) return false;
  }
  return !asksForRelations(filter) || related.some((relation) => isWanted(filter, relation));
}

/** Whether a filter wants anything of a type. */
export function matchesType({ types, notTypes }: EventFilter, type: string): boolean {
  return !isOfType(type, notTypes) && (types === undefined || isOfType(type, types));
}

function isWanted(
  { relatedBySenders, relatedByRelTypes }: EventFilter,
  { sender, relType }: RelatedEvent,
): boolean {
  return (relatedBySenders?.has(sender) ?? true) && (relatedByRelTypes?.has(relType) ?? true);
}

function isOfType(type: string, { exact, wildcards }: TypePatterns): boolean {
  return exact.has(type) || wildcards.some((pattern) => matchesGlob(pattern, type));
}

function readTypes(filter: JsonObject, key: string): TypePatterns | undefined {
  const patterns = readStrings(filter, key);
  if (patterns === undefined) return undefined;
  const wildcards = [...patterns].filter((pattern) => pattern.includes('*'));
  if (wildcards.length > WILDCARDS_MAX || wildcards.some(({ length }) => length > WILDCARD_MAX_CHARS)) {
    throw refuse.badJson(
      `'${key}' holds more than ${WILDCARDS_MAX} patterns, or one of more than ${WILDCARD_MAX_CHARS} characters`,
    );
  }
  return { exact: patterns, wildcards };
}

function readStrings(filter: JsonObject, key: string): ReadonlySet<string> | undefined {
  const value = own(filter, key);
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw refuse.badJson(`'${key}' must be a list of strings`);
  }
  return new Set<string>(value);
}

function readBoolean(filter: JsonObject, key: string): boolean | undefined {
  const value = own(filter, key);
  if (value === undefined || typeof value === 'boolean') return value;
  throw refuse.badJson(`'${key}' must be a boolean`);
}

function readLimit(filter: JsonObject): number | undefined {
  const value = own(filter, 'limit');
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw refuse.badJson("'limit' must be an integer of at least 0");
}
