import { type Aggregate, declareAggregate } from '@steward/service';
import type { IndexDeclaration } from '@steward/store';
import type { RoomEffect } from './pending-effects.ts';
import { facetOf } from './room-facet.ts';

/** A forward extremity: an event that no other event follows. */
export interface Extremity {
  event_id: string;
  depth: number;
  /** When this server received it, in milliseconds since the Unix epoch. */
  received_ts: number;
  arrival: number;
  /** Its reference hash, in room versions whose references hold one. */
  sha256?: string;
}

/** The fields of lists and details of rooms that come from the current state; null without a usable value. */
export interface Summary {
  name: string | null;
  canonical_alias: string | null;
  topic: string | null;
  avatar: string | null;
  join_rules: string | null;
  guest_access: string | null;
  history_visibility: string | null;
  /** The algorithm. */
  encryption: string | null;
  room_type: string | null;
  federatable: boolean;
  /** Whether the room was replaced by another. */
  tombstoned: boolean;
  replacement_room: string | null;
  /** The name in lower case, for searches; empty if there is none. */
  folded_name: string;
  /** The localpart of the canonical alias in lower case, for searches; empty if there is none. */
  folded_alias: string;
}

/** Totals of a room, exact at each version. */
export interface Counters {
  joined_members: number;
  joined_local_members: number;
  invited_members: number;
  /** The number of events of the current state. */
  state_events: number;
  /** The number of events that ever arrived. */
  events: number;
  /** The approximate size of the events, in bytes. */
  event_bytes: number;
  /**
   * The number of stored messages, see `isMessage`. Absent in a room of an earlier release until its messages are counted,
   * see `countMessages`.
   */
  messages?: number;
}

/** A room. The document is the aggregate: every change of the room is one conditional commit of it. */
export interface Room extends Aggregate, Summary, Counters {
  /** The room id. */
  _id: string;
  version: number;
  pending?: readonly RoomEffect[];
  room_version: string;
  creator: string;
  /** When it was created, in milliseconds since the Unix epoch. */
  created_ts: number;
  /** The last arrival number that was assigned to an event; never assigned again. */
  arrival: number;
  /** The depth of the deepest event. */
  depth: number;
  /** At most `MAX_EXTREMITIES`. */
  extremities: readonly Extremity[];
  /** Whether the directory lists it. */
  public: boolean;
  /** Whether administrators have blocked it; absent means no. What counts is its document in `room.blocks`. */
  blocked?: boolean;
  /**
   * The latest time of an event that users see, in milliseconds since the Unix epoch: when it was sent, but not later than
   * when it was received. The time of the creation in a room without events.
   */
  last_activity_ts: number;
  /** The properties by which lists filter, in one string; and the flags among them. See `facetOf`. */
  facet: string;
  flags: string;
  /** The position of the first event that its timeline shows, where the events before it were purged. */
  horizon?: { readonly depth: number; readonly arrival: number };
  /**
   * Of an imported room whose history has forked: the arrival from which on memberships follow from the order of the events.
   * Absent in others.
   */
  forked_until?: number;
  /** The task that last purged its history, set when the purged bytes were subtracted. */
  purged_by?: string;
  /** The arrival of the event that made it encrypted; absent in a room of an earlier release, and in one that is not. */
  encrypted_at?: number;
  /** The arrival of the last event by which a user of this server joined or left; absent for earlier ones. */
  local_joins?: number;
  /** The task that created it, if one did. */
  founded_by?: string;
  /** The room that this one replaces; absent once the upgrade is complete. */
  upgrade_of?: string;
}

/** The most extremities of a room; without a limit the document could grow without bound. */
export const MAX_EXTREMITIES = 20;

/** The initial values of a room. */
export interface NewRoom {
  readonly roomId: string;
  readonly roomVersion: string;
  readonly creator: string;
  readonly public: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The document of a room without events. */
export function newRoom(init: NewRoom): Room {
  const room: Omit<Room, 'facet' | 'flags'> = {
    _id: init.roomId,
    version: 0,
    room_version: init.roomVersion,
    creator: init.creator,
    created_ts: init.now,
    arrival: 0,
    depth: 0,
    extremities: [],
    name: null,
    canonical_alias: null,
    topic: null,
    avatar: null,
    join_rules: null,
    guest_access: null,
    history_visibility: null,
    encryption: null,
    room_type: null,
    federatable: true,
    tombstoned: false,
    replacement_room: null,
    folded_name: '',
    folded_alias: '',
    joined_members: 0,
    joined_local_members: 0,
    invited_members: 0,
    state_events: 0,
    events: 0,
    event_bytes: 0,
    messages: 0,
    last_activity_ts: init.now,
    public: init.public,
  };
  return { ...room, ...facetOf(room) };
}

/** The sort keys of lists of rooms. Ties follow the direction of the key, so that one index serves both directions. */
const SORT_KEYS = [
  'name',
  'canonical_alias',
  'creator',
  'encryption',
  'federatable',
  'public',
  'join_rules',
  'guest_access',
  'history_visibility',
  'joined_members',
  'joined_local_members',
  'room_version',
  'state_events',
  'created_ts',
] as const satisfies readonly (keyof Room)[];

/** What lists limit, behind the keys of indexes that each message changes anyway: limits are tested in them. */
const LIMITED: IndexDeclaration<Room>['keys'] = [
  ['_id', 1],
  ['last_activity_ts', 1],
  ['joined_members', 1],
];

const listIndexes = SORT_KEYS.map(
  (key): IndexDeclaration<Room> => ({ name: `list_${key}`, keys: [[key, 1]] }),
);

/** The sort keys in whose order an index holds the rooms of each facet, or of the same flags. */
export const FACET_SORT_KEYS = {
  flags: ['name', 'joined_members', 'last_activity_ts', 'messages', 'event_bytes', 'created_ts'],
  // Each message changes numbers of its room: further indexes of these would slow all messages down.
  facet: ['name', 'joined_members', 'last_activity_ts', 'created_ts'],
} as const satisfies Record<string, readonly (keyof Room)[]>;

const facetIndexes = (['flags', 'facet'] as const).flatMap((by) =>
  FACET_SORT_KEYS[by].map(
    (key): IndexDeclaration<Room> => ({
      name: `${by}_${key}`,
      keys: [
        [by, 1],
        // Ties are in the order of the index `bytes`.
        [key, key === 'event_bytes' ? -1 : 1],
      ],
    }),
  ),
);

/**
 * Rooms, by room id: the aggregate. Each version admits a batch of events; `pending` names the admitted events that are
 * not visible yet.
 */
export const rooms = declareAggregate<Room>({
  name: 'room.rooms',
  whileLoading: [],
  shardKey: '_id',
  search: ['folded_name', 'folded_alias'],
  tally: 'facet',
  indexes: [
    ...listIndexes,
    // The number of members, too, so that limits of both are decided by this index alone; and what few rooms are sorted by in it.
    {
      name: 'last_activity',
      keys: [
        ['last_activity_ts', 1],
        ['_id', 1],
        ['joined_members', 1],
        ['messages', 1],
        ['event_bytes', 1],
      ],
    },
    ...facetIndexes,
    {
      name: 'creator_name',
      keys: [
        ['creator', 1],
        ['name', 1],
      ],
    },
    {
      name: 'directory',
      keys: [
        ['public', 1],
        ['joined_members', -1],
        ['_id', 1],
      ],
    },
    { name: 'messages', keys: [['messages', 1], ...LIMITED] },
    { name: 'bytes', keys: [['event_bytes', -1], ...LIMITED] },
    { name: 'founded_by', keys: [['founded_by', 1]], sparse: true },
    { name: 'upgrade_of', keys: [['upgrade_of', 1]], sparse: true },
  ],
});
