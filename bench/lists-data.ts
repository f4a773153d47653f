import { createHash } from 'node:crypto';
import { findableOf, hashes, type ListedHash, type Media, media, mediumOf } from '@steward/media/testing';
import {
  CASE_STATES,
  type CaseSeverity,
  caseFacet,
  cases,
  type EventReport,
  eventReports,
  type InboxEntry,
  inbox,
  inboxKey,
  type MediaReport,
  mediaReports,
  newCase,
  type ReportCase,
  type RoomReport,
  reportKey,
  roomReports,
  type SubjectIds,
  type UserReport,
  userReports,
} from '@steward/moderation/testing';
import {
  type Block,
  blocks,
  type EventDocument,
  events,
  facetOf,
  newRoom,
  type Room,
  rooms,
} from '@steward/room/testing';
import { openSqliteStore } from '@steward/store';
import { accounts, type Connection, connections, type SignIn, storedSignIns } from '@steward/user/testing';
import { displayName } from './data.ts';
import { accountId, accountsOf, FIRST_TS, SPAN_MS, spread } from './find-users-data.ts';
import { insertAll } from './insert.ts';
import { roomId } from './rooms-data.ts';

/** The size of a data set. */
export interface ListsSize {
  readonly users: number;
  readonly rooms: number;
  readonly media: number;
  readonly reports: number;
  readonly hashes: number;
  /** The blocks of rooms that the server does not have. */
  readonly unknownBlocks: number;
}

/** The size of the data set of a number of users. */
export const listsSize = (users: number): ListsSize => ({
  users,
  rooms: users / 5,
  media: users * 2,
  reports: users / 5,
  hashes: users / 10,
  unknownBlocks: users / 50,
});

/** One user in this many has a long history, and one room in this many shows media. */
const ONE_IN = 100;

/** The length of such a history. */
const MEMBERSHIPS = 100;
const SIGN_INS = 30;
const ADDRESSES = 20;

/** The media that such a room shows. */
const SHOWN = 50;

/** Who decides, who blocks, who reports very often, and the rooms that are reported very often. */
export const MODERATORS = 20;
export const BUSY = 10;

/** A part of busy ones among all. */
const BUSY_PART = 0.1;

const SERVER = 'localhost';
const HOUR_MS = 3_600_000;

/** The time at a part of the time in which everything happened, in milliseconds since the Unix epoch. */
export const timeAt = (part: number): number => Math.floor(FIRST_TS + part * SPAN_MS);

/** One of a number of values. */
export const oneOf = <T>(values: readonly T[], n: number, seed: number): T =>
  values[Math.floor(spread(n, seed) * values.length)] as T;

const someUser = (size: ListsSize, n: number, seed: number) =>
  accountId(Math.floor(spread(n, seed) * size.users));

/** The id of the n-th moderator. */
export const moderator = (n: number): string => `@moderator${n}:${SERVER}`;

/** The id of the n-th of the users with a long history. */
export const activeUser = (size: ListsSize, n: number): string => accountId((n * ONE_IN) % size.users);

/** The number of the n-th of the rooms that show media. */
export const showingRoom = (size: ListsSize, n: number): number => (n * ONE_IN) % size.rooms;

export const ROOM_VERSIONS = ['10', '10', '10', '10', '11', '11', '9', '9', '6', '1'] as const;
export const JOIN_RULES = ['invite', 'invite', 'invite', 'public', 'restricted', 'knock'] as const;
export const ALGORITHM = 'm.megolm.v1.aes-sha2';
const ALGORITHMS = [null, ALGORITHM] as const;

/** The user who created the n-th room: a few programs created a tenth of all. */
export const creatorOf = (size: ListsSize, n: number): string =>
  spread(n, 1) < BUSY_PART ? accountId(Math.floor(spread(n, 2) * BUSY)) : someUser(size, n, 2);

const isBlocked = (n: number) => n % 100 === 7;

/** The n-th room. */
export function roomOf(size: ListsSize, n: number): Room {
  const createdTs = timeAt(spread(n, 3));
  const name = n % 10 === 0 ? null : displayName(n);
  const localpart = `${displayName(n).toLowerCase().split(' ')[0]}.${n}`;
  const members = n % 20 === 3 ? 0 : 1 + Math.floor(spread(n, 4) ** 4 * 1_000);
  const messages = Math.floor(spread(n, 5) ** 3 * 10_000);
  const room: Room = {
    ...newRoom({
      roomId: roomId(n),
      roomVersion: oneOf(ROOM_VERSIONS, n, 6),
      creator: creatorOf(size, n),
      public: n % 5 === 0,
      now: createdTs,
    }),
    version: 1,
    name,
    folded_name: name?.toLowerCase() ?? '',
    canonical_alias: n % 3 === 0 ? `#${localpart}:${SERVER}` : null,
    folded_alias: n % 3 === 0 ? localpart : '',
    join_rules: oneOf(JOIN_RULES, n, 7),
    encryption: n % 500 === 9 ? 'org.example.other' : oneOf(ALGORITHMS, n, 8),
    tombstoned: n % 25 === 4,
    joined_members: members,
    joined_local_members: members,
    state_events: 6 + members,
    events: messages + members,
    event_bytes: (messages + members) * 600 + Math.floor(spread(n, 9) * 10_000),
    messages,
    last_activity_ts: Math.floor(createdTs + spread(n, 10) * (timeAt(1) - createdTs)),
    ...(isBlocked(n) ? { blocked: true } : {}),
  };
  return { ...room, ...facetOf(room) };
}

/** The rooms. */
export const roomsOf = function* (size: ListsSize): Generator<Room> {
  for (let n = 0; n < size.rooms; n++) yield roomOf(size, n);
};

/** The blocks: of rooms that the server has, and of others. */
export function* blocksOf(size: ListsSize): Generator<Block> {
  const block = (id: string, n: number): Block => ({
    _id: id,
    user_id: moderator(n % MODERATORS),
    blocked_ts: timeAt(spread(n, 11)),
  });
  for (let n = 0; n < size.rooms; n++) if (isBlocked(n)) yield block(roomId(n), n);
  for (let n = 0; n < size.unknownBlocks; n++) yield block(`!unknown${n}:elsewhere.example.org`, n);
}

const mediaIdOf = (n: number) => `m${String(n).padStart(8, '0')}`;
const originOf = (n: number) => (n % 7 === 0 ? `server${n % 20}.example.org` : SERVER);
const uriOf = (n: number) => `mxc://${originOf(n)}/${mediaIdOf(n)}`;

const MEDIA_TYPES = [
  'image/jpeg',
  'image/jpeg',
  'image/jpeg',
  'image/png',
  'image/png',
  'image/webp',
  'video/mp4',
  'text/plain',
  'application/pdf',
] as const;

/** The n-th medium. */
export function mediumAt(size: ListsSize, n: number): Media {
  const createdTs = timeAt(spread(n, 21));
  const fields = mediumOf(mediaIdOf(n), {
    origin: originOf(n),
    user_id: originOf(n) === SERVER ? someUser(size, n, 22) : null,
    created_ts: createdTs,
    length: 1 + Math.floor(spread(n, 23) ** 3 * 10_000_000),
    type: oneOf(MEDIA_TYPES, n, 24),
    upload_name: n % 4 === 0 ? null : `picture ${n}.png`,
    sha256: digest(`medium ${n}`),
    last_access_ts: n % 3 === 1 ? null : Math.floor(createdTs + spread(n, 25) * (timeAt(1) - createdTs)),
    quarantined_by: n % 200 === 5 ? moderator(n % MODERATORS) : null,
    safe_from_quarantine: n % 500 === 6,
    shown: n % 6 !== 2,
  });
  return { ...fields, ...findableOf(fields) };
}

/** The media. */
export function* mediaIn(size: ListsSize): Generator<Media> {
  for (let n = 0; n < size.media; n++) yield mediumAt(size, n);
}

const HASH_SOURCES = 5;

/** The name of the n-th source of hashes. */
export const hashSource = (n: number): string => `list ${n % HASH_SOURCES}`;

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** The n-th hash of known-bad content. */
export const hashOf = (n: number): ListedHash => ({
  _id: digest(`hash ${n}`),
  action: n % 3 === 0 ? 'quarantine' : 'refuse',
  open_report: n % 2 === 0,
  source: hashSource(n),
  note: null,
  added_ts: timeAt(spread(n, 31)),
  added_by: moderator(n % MODERATORS),
  last_match_ts: null,
});

/** The known-bad content. */
export function* hashesOf(size: ListsSize): Generator<ListedHash> {
  for (let n = 0; n < size.hashes; n++) yield hashOf(n);
}

const SEVERITIES: readonly (CaseSeverity | null)[] = [null, null, null, 'low', 'medium', 'high', 'critical'];

/** The number of the case of the n-th report: half of them have one report, a tenth eleven. */
function caseNumber({ reports }: ListsSize, n: number): number {
  const count = reports / 2;
  return n < count ? n : (n - count) % (count / 10);
}

/** The user, room, event or medium that the n-th case is about. */
function subjectAt(size: ListsSize, n: number): SubjectIds {
  const none = { user_id: null, room_id: null, event_id: null, media_uri: null };
  const kind = n % 20;
  if (kind < 13) {
    const room = spread(n, 41) < BUSY_PART ? Math.floor(spread(n, 42) * BUSY) : n % size.rooms;
    return {
      ...none,
      kind: 'event',
      user_id: someUser(size, n, 43),
      room_id: roomId(room),
      event_id: `$${digest(`reported ${n}`).slice(0, 43)}`,
    };
  }
  if (kind < 17) return { ...none, kind: 'user', user_id: accountId(n) };
  if (kind < 19) return { ...none, kind: 'room', room_id: roomId(n) };
  return { ...none, kind: 'media', user_id: someUser(size, n, 44), media_uri: uriOf(n) };
}

/** The n-th case without its reports. */
function emptyCase(size: ListsSize, n: number): ReportCase {
  const state = spread(n, 45) < 0.8 ? 'resolved' : oneOf(CASE_STATES, n, 46);
  const found = {
    ...newCase(subjectAt(size, n), 1, 0),
    version: 1,
    state,
    severity: oneOf(SEVERITIES, n, 47),
    assignee: spread(n, 48) < 0.4 ? null : moderator(Math.floor(spread(n, 49) * MODERATORS)),
  };
  return { ...found, facet: caseFacet(found), ...(state === 'resolved' ? { outcome: 'dismissed' } : {}) };
}

/** Who made the n-th report: a few programs made a tenth of all. */
const reporterOf = (size: ListsSize, n: number) =>
  spread(n, 51) < BUSY_PART ? accountId(Math.floor(spread(n, 52) * BUSY)) : someUser(size, n, 53);

/** The entries of the inbox, in the order in which they were received. */
export function* inboxOf(size: ListsSize): Generator<InboxEntry> {
  for (let n = 0; n < size.reports; n++) {
    const of = emptyCase(size, caseNumber(size, n));
    const { kind, user_id, room_id, event_id, media_uri, state, severity, assignee, facet } = of;
    yield {
      _id: inboxKey(kind, n + 1),
      ...{ kind, user_id, room_id, event_id, media_uri, state, severity, assignee, facet },
      received_ts: timeAt((n + 1) / size.reports),
      reporter: kind === 'media' ? null : reporterOf(size, n),
      evidence: null,
      case: of._id,
      case_version: 1,
    };
  }
}

/** The cases, with what they know of their reports. */
export function* casesOf(size: ListsSize): Generator<ReportCase> {
  const count = size.reports / 2;
  for (let n = 0; n < count; n++) {
    const of = emptyCase(size, n);
    const more = n < count / 10 ? Array.from({ length: 10 }, (_, i) => count + n + (i * count) / 10) : [];
    const reports = [n, ...more];
    const time = (report: number) => timeAt((report + 1) / size.reports);
    const reporters = new Set(of.kind === 'media' ? [] : reports.map((each) => reporterOf(size, each)));
    yield {
      ...of,
      report_count: reports.length,
      reporter_count: reporters.size,
      first_received_ts: time(n),
      last_received_ts: time(reports.at(-1) ?? n),
    };
  }
}

/** The documented reports behind the inbox. */
function* reportsOf(size: ListsSize) {
  for (const entry of inboxOf(size)) {
    const _id = reportKey(Number(entry._id.split('-')[1]));
    yield { ...entry, _id };
  }
}

function* eventReportsOf(size: ListsSize): Generator<EventReport> {
  for (const { _id, kind, received_ts, reporter, room_id, event_id, user_id } of reportsOf(size)) {
    if (kind !== 'event') continue;
    const about = { room_id: room_id ?? '', event_id: event_id ?? '', sender: user_id, room_gone: false };
    yield { _id, received_ts, user_id: reporter ?? '', ...about, reason: 'spam', score: -50 };
  }
}

function* userReportsOf(size: ListsSize): Generator<UserReport> {
  for (const { _id, kind, received_ts, reporter, user_id } of reportsOf(size)) {
    if (kind !== 'user') continue;
    yield { _id, received_ts, user_id: reporter ?? '', target_user_id: user_id ?? '', reason: 'spam' };
  }
}

function* roomReportsOf(size: ListsSize): Generator<RoomReport> {
  for (const { _id, kind, received_ts, reporter, room_id } of reportsOf(size)) {
    if (kind !== 'room') continue;
    yield { _id, received_ts, user_id: reporter ?? '', room_id: room_id ?? '', reason: 'spam' };
  }
}

function* mediaReportsOf(size: ListsSize): Generator<MediaReport> {
  for (const { _id, kind, received_ts, user_id, media_uri } of reportsOf(size)) {
    if (kind !== 'media') continue;
    yield { _id, received_ts, media_uri: media_uri ?? '', uploader: user_id, reason: 'listed' };
  }
}

/** The memberships of users with long histories, and the events that show media. */
function* eventsIn(size: ListsSize): Generator<EventDocument> {
  let arrival = 0;
  const next = (room: number, sender: string, type: string, content: object, stateKey?: string) => {
    arrival++;
    const state = stateKey === undefined ? {} : { state_key: stateKey, previous_membership: '' };
    const ts = timeAt(spread(arrival, 61));
    const event = { type, sender, content, origin_server_ts: ts, depth: 1, prev_events: [], auth_events: [] };
    const json = JSON.stringify({ ...event, room_id: roomId(room), state_key: stateKey });
    return {
      _id: `$${digest(`event ${arrival}`).slice(0, 43)}`,
      room_id: roomId(room),
      room_version: '10',
      arrival,
      depth: arrival,
      type,
      sender,
      ...state,
      origin_server_ts: ts,
      received_ts: ts,
      json,
      bytes: json.length,
      media: [],
    } satisfies EventDocument;
  };
  for (let n = 0; n < size.users / ONE_IN; n++) {
    const user = activeUser(size, n);
    for (let m = 0; m < MEMBERSHIPS; m++) {
      const room = Math.floor(spread(n * MEMBERSHIPS + m, 62) * size.rooms);
      yield next(room, user, 'm.room.member', { membership: 'join' }, user);
    }
  }
  for (let n = 0; n < size.rooms / ONE_IN; n++) {
    for (const medium of shownIn(size, n)) {
      const content = { msgtype: 'm.image', body: 'picture', url: uriOf(medium) };
      const event = next(showingRoom(size, n), activeUser(size, n), 'm.room.message', content);
      yield { ...event, media: [uriOf(medium)] };
    }
  }
}

/** The numbers of the media that the n-th of the rooms with media shows. */
export const shownIn = (size: ListsSize, n: number): readonly number[] =>
  Array.from({ length: SHOWN }, (_, m) => (n * SHOWN * 7 + m * 11) % size.media);

function* signInsOf(size: ListsSize, now: number): Generator<SignIn> {
  for (let n = 0; n < size.users / ONE_IN; n++) {
    for (let m = 0; m < SIGN_INS; m++) {
      const client = { device_id: `DEVICE${m}`, address: `192.0.2.${m}`, user_agent: 'bench' };
      yield { _id: `${n} ${m}`, user_id: activeUser(size, n), ts: now - m * HOUR_MS, ...client };
    }
  }
}

function* connectionsOf(size: ListsSize, now: number): Generator<Connection> {
  for (let n = 0; n < size.users / ONE_IN; n++) {
    for (let m = 0; m < ADDRESSES; m++) {
      const client = { ip: `192.0.2.${m}`, user_agent: 'bench' };
      yield { _id: `${n} ${m}`, user_id: activeUser(size, n), last_seen: now - m * HOUR_MS, ...client };
    }
  }
}

/** Writes a data set into a file for the server, unless it has one. */
export async function writeLists(path: string, size: ListsSize): Promise<void> {
  const store = await openSqliteStore({ path, loading: true });
  try {
    if ((await store.someId('user.accounts')) !== undefined) return;
    const now = Date.now();
    await insertAll(store, storedSignIns, signInsOf(size, now));
    await insertAll(store, connections, connectionsOf(size, now));
    await insertAll(store, rooms, roomsOf(size));
    await insertAll(store, blocks, blocksOf(size));
    await insertAll(store, events, eventsIn(size));
    await insertAll(store, media, mediaIn(size));
    await insertAll(store, hashes, hashesOf(size));
    await insertAll(store, inbox, inboxOf(size));
    await insertAll(store, cases, casesOf(size));
    await insertAll(store, eventReports, eventReportsOf(size));
    await insertAll(store, userReports, userReportsOf(size));
    await insertAll(store, roomReports, roomReportsOf(size));
    await insertAll(store, mediaReports, mediaReportsOf(size));
    // Last, because they say that the rest is there.
    await insertAll(store, accounts, accountsOf(size.users));
  } finally {
    await store.close();
  }
}
