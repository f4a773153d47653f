import { findRoomVersion } from '../protocol/mod.ts';

/** The fields of a room that its facet tells apart; see `Room`. */
export interface FacetFields {
  readonly public: boolean;
  readonly joined_members: number;
  readonly encryption: string | null;
  readonly tombstoned: boolean;
  readonly blocked?: boolean;
  readonly room_version: string;
  readonly join_rules: string | null;
}

/** What a facet says of its rooms. */
export interface Traits {
  readonly public: boolean;
  /** Whether it has no joined members. */
  readonly empty: boolean;
  readonly encrypted: boolean;
  /** The algorithm; `undefined` if the room is encrypted with another than the usual one. */
  readonly encryption: string | null | undefined;
  readonly tombstoned: boolean;
  readonly blocked: boolean;
  /** `undefined` for a version that this server does not know. */
  readonly roomVersion: string | undefined;
  /** `undefined` for a rule that is not specified. */
  readonly joinRule: string | null | undefined;
}

/** The algorithm of nearly all encrypted rooms. */
const USUAL_ALGORITHM = 'm.megolm.v1.aes-sha2';

/** The join rules that are specified. */
const JOIN_RULES: ReadonlySet<string> = new Set([
  'public',
  'invite',
  'knock',
  'private',
  'restricted',
  'knock_restricted',
]);

/** Stands for a value that users made up, so that the number of facets has a bound. */
const OTHER = '?';

/** Stands for no value. */
const NONE = '-';

/** What the flags of a facet look like, by their places: without the property, and with it. */
const FLAGS = { public: 'p', empty: 'e', tombstoned: 't', blocked: 'b' } as const;

/** The fields that are derived from the properties of a room. */
export interface Facet {
  /** The flags, the version and the join rule. */
  readonly facet: string;
  /** The flags alone, which `facet` begins with: of these there are even fewer, and most filters are by flags. */
  readonly flags: string;
}

/**
 * The properties by which lists of rooms are filtered, in one string. There are few different combinations, so any filter
 * on them is a short list of facets, any total is a sum over them, and one index by facet serves every combination.
 */
export function facetOf(room: FacetFields): Facet {
  const flag = (name: keyof typeof FLAGS, isSet: boolean) => (isSet ? FLAGS[name] : NONE);
  const flags = [
    flag('public', room.public),
    flag('empty', room.joined_members === 0),
    flag('tombstoned', room.tombstoned),
    flag('blocked', room.blocked === true),
    room.encryption === null ? NONE : room.encryption === USUAL_ALGORITHM ? 'm' : OTHER,
  ].join('');
  const version = findRoomVersion(room.room_version) ? room.room_version : OTHER;
  const { join_rules: rule } = room;
  const knownRule = rule === null ? NONE : JOIN_RULES.has(rule) ? rule : OTHER;
  return { facet: `${flags} ${version} ${knownRule}`, flags };
}

/** The flags with which a facet begins. */
export const flagsOf = (facet: string): string => facet.slice(0, facet.indexOf(' '));

/** The properties that a facet stands for. */
export function traitsOf(facet: string): Traits {
  const [flags = '', version = '', rule = ''] = facet.split(' ');
  const encryption = flags[4];
  return {
    public: flags[0] === FLAGS.public,
    empty: flags[1] === FLAGS.empty,
    tombstoned: flags[2] === FLAGS.tombstoned,
    blocked: flags[3] === FLAGS.blocked,
    encrypted: encryption !== NONE,
    encryption: encryption === NONE ? null : encryption === OTHER ? undefined : USUAL_ALGORITHM,
    roomVersion: version === OTHER ? undefined : version,
    joinRule: rule === NONE ? null : rule === OTHER ? undefined : rule,
  };
}

/** Whether facets tell rooms with a value from those with other ones. */
export function isNamed(trait: 'encryption' | 'roomVersion' | 'joinRule', value: string): boolean {
  if (trait === 'encryption') return value === USUAL_ALGORITHM;
  return trait === 'roomVersion' ? findRoomVersion(value) !== undefined : JOIN_RULES.has(value);
}

/** The facet that a change of a room leads to. */
export const facetAfter = (room: FacetFields, change: Partial<FacetFields>): Facet =>
  facetOf({ ...room, ...change });
