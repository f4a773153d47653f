import type { InboxEntry } from '@steward/moderation/testing';
import { displayName } from './data.ts';
import { accountId, spread } from './find-users-data.ts';
import {
  ALGORITHM,
  activeUser,
  BUSY,
  blocksOf,
  casesOf,
  creatorOf,
  hashesOf,
  hashOf,
  hashSource,
  inboxOf,
  JOIN_RULES,
  type ListsSize,
  MODERATORS,
  mediaIn,
  mediumAt,
  moderator,
  oneOf,
  ROOM_VERSIONS,
  roomOf,
  roomsOf,
  showingRoom,
  shownIn,
  timeAt,
} from './lists-data.ts';
import { roomId } from './rooms-data.ts';

type Value = string | number | boolean;

/** The parameters of a request. */
export type Parameters = Readonly<Record<string, Value | readonly Value[]>>;

/** A filter, with values that differ from run to run as those of administrators do. */
export type ListFilter = (n: number, size: ListsSize) => Parameters;

/**
 * A change of what a list shows, because on a server in use no page is answered from the answer before. One with an odd number changes
 * back what the others have changed.
 */
export type ListWrite = readonly [method: string, path: string, body: object];

/** A list, how it can be asked for, and what a request must find. */
export interface List {
  readonly name: string;
  readonly path: (n: number, size: ListsSize) => string;
  readonly orders: readonly Parameters[];
  readonly filters: Readonly<Record<string, ListFilter>>;
  /** The keys of an answer that count what was found; without them nothing is compared. */
  readonly totals: readonly string[];
  /** For each of some requests what their totals must be. */
  readonly expected: (size: ListsSize, requests: readonly Parameters[]) => readonly (readonly number[])[];
  readonly write?: (n: number, size: ListsSize) => ListWrite;
}

/** Whether a document has a value that a parameter asks for. */
type Matches<T> = Readonly<Record<string, (document: T, value: never, size: ListsSize) => boolean>>;

/** Counts what requests find, and sums up a number of it, in one pass over all documents. */
function counting<T>(
  documents: (size: ListsSize) => Iterable<T>,
  matches: Matches<T>,
  amount?: (document: T) => number,
): List['expected'] {
  return (size, requests) => {
    const found = requests.map(() => (amount ? [0, 0] : [0]));
    const conditions = requests.map((request) =>
      Object.entries(request).flatMap(([parameter, value]) => {
        const test = matches[parameter] as
          | ((document: T, value: unknown, size: ListsSize) => boolean)
          | undefined;
        return test ? [(document: T) => test(document, value, size)] : [];
      }),
    );
    for (const document of documents(size)) {
      for (const [i, each] of conditions.entries()) {
        const sums = found[i];
        if (!sums || !each.every((test) => test(document))) continue;
        sums[0] = (sums[0] ?? 0) + 1;
        if (amount) sums[1] = (sums[1] ?? 0) + amount(document);
      }
    }
    return found;
  };
}

const API = '/_service/admin/v1';
const DAY = 1 / 1825;
const someone: (n: number, size: ListsSize, seed: number) => string = (n, { users }, seed) =>
  accountId(Math.floor(spread(n, seed) * users));
const someMedium = (n: number, size: ListsSize) => mediumAt(size, Math.floor(spread(n, 72) * size.media));

type Reported = Pick<InboxEntry, 'kind' | 'state' | 'assignee' | 'user_id' | 'room_id' | 'severity'>;

const reportFilters: Readonly<Record<string, ListFilter>> = {
  'kind event': () => ({ kind: 'event' }),
  'kind media': () => ({ kind: 'media' }),
  'state open': () => ({ state: 'open' }),
  'state not resolved': () => ({ state: ['open', 'triaged', 'escalated'] }),
  'assignee one': (n) => ({ assignee: moderator(n % MODERATORS) }),
  'assignee none': () => ({ assignee: 'none' }),
  user: (n, { reports }) => ({ user: accountId(Math.floor(spread(n, 73) * (reports / 40)) * 20 + 14) }),
  room: (n, { reports }) => ({ room_id: roomId(Math.floor(spread(n, 74) * (reports / 40)) * 20 + 17) }),
  'room, busy': (n) => ({ room_id: roomId(n % BUSY) }),
  'severity high': () => ({ severity: 'high' }),
  'severity none': () => ({ severity: 'none' }),
  'received (a day)': (n) => ({
    received_after: timeAt(spread(n, 75) * 0.9),
    received_before: timeAt(spread(n, 75) * 0.9 + DAY),
  }),
  received_after: (n) => ({ received_after: timeAt(0.9 + spread(n, 76) / 20) }),
  received_before: (n) => ({ received_before: timeAt(0.9 - spread(n, 76) / 20) }),
};

const reported = {
  kind: ({ kind }: Reported, value: string) => kind === value,
  state: ({ state }: Reported, value: string | readonly string[]) => value.includes(state),
  assignee: ({ assignee }: Reported, value: string) => (assignee ?? 'none') === value,
  user: ({ user_id }: Reported, value: string) => user_id === value,
  room_id: ({ room_id }: Reported, value: string) => room_id === value,
  severity: ({ severity }: Reported, value: string) => (severity ?? 'none') === value,
};

/** Changes the severity of an open case. */
function writeCase(n: number, size: ListsSize): ListWrite {
  for (const { _id, state, severity } of casesOf(size)) {
    if (state !== 'open' || severity !== 'high') continue;
    return ['POST', `${API}/reports/${_id}/severity`, { severity: n % 2 === 0 ? 'low' : 'high' }];
  }
  throw new Error('No case of high severity is open');
}

const reports: List = {
  name: 'v1/reports',
  path: () => `${API}/reports`,
  orders: [{}, { dir: 'f' }],
  filters: {
    ...reportFilters,
    reporter: (n, size) => ({ reporter: someone(n, size, 77) }),
    'reporter, busy': (n) => ({ reporter: accountId(n % BUSY) }),
  },
  totals: ['total'],
  expected: counting(inboxOf, {
    ...reported,
    reporter: ({ reporter }, value: string) => reporter === value,
    received_after: ({ received_ts: ts }, value: number) => ts >= value,
    received_before: ({ received_ts: ts }, value: number) => ts < value,
  }),
  write: writeCase,
};

const reportCases: List = {
  name: 'v1/reports?group=subject',
  path: () => `${API}/reports`,
  orders: [
    { group: 'subject' },
    { group: 'subject', dir: 'f' },
    { group: 'subject', order_by: 'report_count' },
  ],
  filters: reportFilters,
  totals: ['total'],
  expected: counting(casesOf, {
    ...reported,
    received_after: ({ last_received_ts: ts }, value: number) => ts >= value,
    received_before: ({ last_received_ts: ts }, value: number) => ts < value,
  }),
  write: writeCase,
};

const writeBlock = (n: number): ListWrite => [
  'PUT',
  `${API}/rooms/${encodeURIComponent(roomId(0))}/block`,
  { block: n % 2 === 0 },
];

const rooms: List = {
  name: 'v1/rooms',
  path: () => `${API}/rooms`,
  orders: [{}, { order_by: 'messages' }, { order_by: 'bytes' }, { order_by: 'last_activity' }],
  filters: {
    encrypted: () => ({ encrypted: true }),
    'not encrypted': () => ({ encrypted: false }),
    encryption: () => ({ encryption: ALGORITHM }),
    'encryption, rare': () => ({ encryption: 'org.example.other' }),
    version: (n) => ({ version: oneOf(ROOM_VERSIONS, n, 81) }),
    tombstoned: () => ({ tombstoned: true }),
    'not tombstoned': () => ({ tombstoned: false }),
    blocked: () => ({ blocked: true }),
    'not blocked': () => ({ blocked: false }),
    join_rule: (n) => ({ join_rule: oneOf(JOIN_RULES, n, 82) }),
    empty: () => ({ empty_rooms: true }),
    'members (few rooms)': (n) => ({ members_min: 900 + (n % 50) }),
    'members (some)': (n) => ({ members_min: 10 + (n % 10), members_max: 60 + (n % 10) }),
    last_activity_after: (n) => ({ last_activity_after: timeAt(0.98 + spread(n, 83) / 100) }),
    last_activity_before: (n) => ({ last_activity_before: timeAt(0.2 + spread(n, 83) / 10) }),
    creator: (n, size) => ({ creator: creatorOf(size, Math.floor(spread(n, 84) * size.rooms)) }),
    'creator, busy': (n) => ({ creator: accountId(n % BUSY) }),
    alias: (n, size) => ({
      alias:
        roomOf(size, Math.floor(spread(n, 85) * (size.rooms / 3)) * 3).canonical_alias ?? '#none:localhost',
    }),
    alias_contains: (n, { rooms: count }) => ({
      alias_contains: displayName(Math.floor(spread(n, 86) * (count / 3)) * 3).split(' ')[0] ?? 'x',
    }),
  },
  totals: ['total_rooms'],
  expected: counting(roomsOf, {
    encrypted: ({ encryption }, value: boolean) => (encryption !== null) === value,
    encryption: ({ encryption }, value: string) => encryption === value,
    version: ({ room_version: version }, value: string) => version === value,
    tombstoned: ({ tombstoned }, value: boolean) => tombstoned === value,
    blocked: ({ blocked }, value: boolean) => (blocked === true) === value,
    join_rule: ({ join_rules: rule }, value: string) => rule === value,
    empty_rooms: ({ joined_members: members }, value: boolean) => (members === 0) === value,
    members_min: ({ joined_members: members }, value: number) => members >= value,
    members_max: ({ joined_members: members }, value: number) => members <= value,
    last_activity_after: ({ last_activity_ts: ts }, value: number) => ts > value,
    last_activity_before: ({ last_activity_ts: ts }, value: number) => ts < value,
    creator: ({ creator }, value: string) => creator === value,
    alias: ({ canonical_alias: alias }, value: string) => alias === value,
    alias_contains: ({ folded_alias: alias }, value: string) => alias.includes(value.toLowerCase()),
  }),
  write: writeBlock,
};

const blockedRooms: List = {
  name: 'v1/blocked_rooms',
  path: () => `${API}/blocked_rooms`,
  orders: [{}, { dir: 'b' }],
  filters: { blocked_by: (n) => ({ blocked_by: moderator(n % MODERATORS) }) },
  totals: ['total'],
  expected: counting(blocksOf, { blocked_by: ({ user_id }, value: string) => user_id === value }),
  write: writeBlock,
};

const media: List = {
  name: 'v1/media',
  path: () => `${API}/media`,
  orders: [
    {},
    { dir: 'f' },
    { order_by: 'media_length' },
    { order_by: 'last_access_ts' },
    { order_by: 'last_access_ts', dir: 'f' },
  ],
  filters: {
    'origin (own)': () => ({ origin: 'localhost' }),
    origin: (n) => ({ origin: `server${n % 20}.example.org` }),
    user_id: (n, size) => ({ user_id: someMedium(n, size).user_id ?? someone(n, size, 91) }),
    room_id: (n, size) => ({ room_id: roomId(showingRoom(size, n)) }),
    type: () => ({ type: 'image/png' }),
    'type (all subtypes)': () => ({ type: 'image/*' }),
    size_min: (n) => ({ size_min: 9_700_000 + (n % 100) * 1_000 }),
    size_max: (n) => ({ size_max: 1_000 + n }),
    'created (a day)': (n) => ({
      created_after: timeAt(spread(n, 92)),
      created_before: timeAt(spread(n, 92) + DAY),
    }),
    created_after: (n) => ({ created_after: timeAt(0.9 + spread(n, 93) / 20) }),
    accessed_before: (n) => ({ accessed_before: timeAt(0.3 + spread(n, 94) / 10) }),
    accessed_after: (n) => ({ accessed_after: timeAt(0.98 + spread(n, 94) / 100) }),
    'never accessed': () => ({ never_accessed: true }),
    'ever accessed': () => ({ never_accessed: false }),
    quarantined: () => ({ quarantined: true }),
    'not quarantined': () => ({ quarantined: false }),
    protected: () => ({ protected: true }),
    'not protected': () => ({ protected: false }),
    orphaned: () => ({ orphaned: true }),
    'not orphaned': () => ({ orphaned: false }),
  },
  totals: ['total', 'total_bytes'],
  expected: counting(
    mediaIn,
    {
      origin: ({ origin }, value: string) => origin === value,
      user_id: ({ user_id }, value: string) => user_id === value,
      // Only asked for the first of these rooms.
      room_id: ({ media_id: id }, _room: string, size) => firstShown(size).has(id),
      type: ({ type }, value: string) =>
        value.endsWith('*') ? type.startsWith(value.slice(0, -1)) : type === value,
      size_min: ({ length }, value: number) => length >= value,
      size_max: ({ length }, value: number) => length <= value,
      created_after: ({ created_ts: ts }, value: number) => ts >= value,
      created_before: ({ created_ts: ts }, value: number) => ts < value,
      accessed_after: ({ last_access_ts: ts }, value: number) => ts !== null && ts >= value,
      accessed_before: ({ last_access_ts: ts }, value: number) => ts !== null && ts < value,
      never_accessed: ({ last_access_ts: ts }, value: boolean) => (ts === null) === value,
      quarantined: ({ quarantined_by: by }, value: boolean) => (by !== null) === value,
      protected: ({ safe_from_quarantine: isSafe }, value: boolean) => isSafe === value,
      orphaned: ({ shown }, value: boolean) => !shown === value,
    },
    ({ length }) => length,
  ),
  write: (n) => ['POST', `${API}/media/${n % 2 === 0 ? 'protect' : 'unprotect'}/m00000001`, {}],
};

const shownByFirst = new Map<number, ReadonlySet<string>>();

/** The ids of the media that the first room with media shows. */
function firstShown(size: ListsSize): ReadonlySet<string> {
  const known = shownByFirst.get(size.media);
  if (known) return known;
  const ids = new Set(shownIn(size, 0).map((n) => mediumAt(size, n).media_id));
  shownByFirst.set(size.media, ids);
  return ids;
}

const hashes: List = {
  name: 'v1/media/hashes',
  path: () => `${API}/media/hashes`,
  orders: [{}],
  filters: {
    source: (n) => ({ source: hashSource(n) }),
    action: (n) => ({ action: n % 2 === 0 ? 'refuse' : 'quarantine' }),
  },
  totals: ['total'],
  expected: counting(hashesOf, {
    source: ({ source }, value: string) => source === value,
    action: ({ action }, value: string) => action === value,
  }),
  write: (n) => {
    const { _id, action, source, open_report } = hashOf(0);
    return ['POST', `${API}/media/hashes`, { sha256: [_id], action, source, open_report, note: `${n}` }];
  },
};

const typed =
  (type: string): ListFilter =>
  () => ({ type });

const activity: List = {
  name: 'v1/users/<id>/activity',
  path: (n, size) => `${API}/users/${encodeURIComponent(activeUser(size, n))}/activity`,
  orders: [{}],
  filters: Object.fromEntries(
    ['sign_in', 'address', 'membership', 'media', 'report_made', 'report_received', 'change'].map((type) => [
      type,
      typed(type),
    ]),
  ),
  totals: [],
  expected: (_size, requests) => requests.map(() => []),
};

/** The lists of the moderation desk, of rooms, of media, and of what a user did. */
export const LISTS: readonly List[] = [reports, reportCases, rooms, blockedRooms, media, hashes, activity];

/** Filters that nothing matches together. */
export const CONTRADICTIONS: readonly (readonly string[])[] = [
  ['received_after', 'received_before'],
  ['last_activity_after', 'last_activity_before'],
  ['never accessed', 'accessed_after'],
  ['never accessed', 'accessed_before'],
  ['accessed_after', 'accessed_before'],
];
