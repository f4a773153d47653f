import { refuse } from '@steward/errors';
import { isObject, type JsonObject, matchesGlob, own } from '@steward/kernel';
import type { RoomEvent } from './event.ts';

/** The most patterns with `*` of a list, and the most characters of one; each is matched against every event. */
const WILDCARDS_MAX = 100;
const WILDCARD_MAX_CHARS = 255;

/** Event types, and patterns of event types in which `*` matches any characters. */
export interface TypePatterns {
  readonly exact: ReadonlySet<string>;
  readonly wildcards: readonly string[];
}

/** A filter of events. An absent list of values to include matches everything, an empty one nothing. */
export interface EventFilter {
  /** The most events of the response. */
  readonly limit: number | undefined;
  readonly types: TypePatterns | undefined;
  readonly notTypes: TypePatterns;
  readonly senders: ReadonlySet<string> | undefined;
  readonly notSenders: ReadonlySet<string>;
  readonly rooms: ReadonlySet<string> | undefined;
  readonly notRooms: ReadonlySet<string>;
  /** Whether the content must have a `url` (`true`) or must not (`false`). */
  readonly containsUrl: boolean | undefined;
  /** Whether only the member events of the senders of the shown events are included. */
  readonly lazyLoadMembers: boolean;
  /** Whether member events are included again that were sent before. */
  readonly includeRedundantMembers: boolean;
  /** Matches only events to which an event of one of these users relates. */
  readonly relatedBySenders: ReadonlySet<string> | undefined;
  /** Matches only events to which an event relates with one of these types. */
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
 * @throws refuse.notJson for text that is not a JSON object, refuse.badJson for a filter of the wrong shape
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
 * Reads a filter from parsed JSON; unknown keys are ignored.
 *
 * @throws refuse.badJson for a filter of the wrong shape
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

/** The filter that matches every event. */
export const NO_FILTER: EventFilter = parseEventFilter({});

/** Whether a filter can match events of a room. */
export function matchesRoom({ rooms, notRooms }: EventFilter, roomId: string): boolean {
  return !notRooms.has(roomId) && (rooms?.has(roomId) ?? true);
}

/** Whether `matchesEvent` requires the events that relate to the filtered one. */
export function filtersByRelations({ relatedBySenders, relatedByRelTypes }: EventFilter): boolean {
  return relatedBySenders !== undefined || relatedByRelTypes !== undefined;
}

/**
 * Whether a filter matches an event.
 *
 * @param related the events that relate to it; required only if the filter has conditions on relations
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
  return !filtersByRelations(filter) || related.some((relation) => matchesRelation(filter, relation));
}

/** Whether a filter can match events of a type. */
export function matchesType({ types, notTypes }: EventFilter, type: string): boolean {
  return !isOfType(type, notTypes) && (types === undefined || isOfType(type, types));
}

function matchesRelation(
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
