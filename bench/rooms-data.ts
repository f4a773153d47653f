import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { displayName, loadInto, userId } from './data.ts';

/** The earliest time of the rooms, in milliseconds since the Unix epoch. */
const FIRST_TS = 1_700_000_000_000;

/** Messages in each room. */
const MESSAGES = 3;

/** The most members of a room unless stated otherwise. */
const MAX_MEMBERS = 24;

/** The size of the data set for an empty data directory. */
export interface RoomData {
  /** The number of rooms; the creator of room n is user n. */
  readonly rooms: number;
  /** The maximum of members of a room, 2 or more. */
  readonly members?: number;
  /** The number of members of the first room; that of an ordinary room by default. */
  readonly large?: number;
}

/** The number of loaded events, and the events per second. */
export interface LoadedRooms {
  readonly events: number;
  readonly perSecond: number;
}

/** Writes rooms with users and events, and imports them into a data directory. */
export async function loadRooms(
  directory: string,
  { rooms, members: most = MAX_MEMBERS, large }: RoomData,
): Promise<LoadedRooms> {
  await mkdir(directory, { recursive: true });
  const env = { STEWARD_DATA: directory };
  const users = Math.max(rooms, large ?? 0, most);
  loadInto(
    await write(
      directory,
      'users',
      Array.from({ length: users }, (_, n) => user(n)),
    ),
    env,
  );
  loadInto(
    await write(
      directory,
      'rooms',
      Array.from({ length: rooms }, (_, n) => room(n)),
    ),
    env,
  );
  let events = 0;
  function* all() {
    for (let n = 0; n < rooms; n++) {
      const count = n === 0 && large !== undefined ? large : 2 + ((n * 7919) % (most - 1));
      const members = Array.from({ length: count }, (_, m) => (n + m) % users);
      for (const event of eventsOf({ n, members, messages: MESSAGES })) {
        events++;
        yield event;
      }
    }
  }
  const file = await write(directory, 'events', all());
  return { perSecond: loadInto(file, env), events };
}

/** The id of the n-th room. */
export function roomId(n: number): string {
  return `!room${String(n).padStart(7, '0')}:localhost`;
}

/** The record of the n-th user. */
export function user(n: number): object {
  return {
    user_id: userId(n),
    displayname: displayName(n),
    avatar_url: null,
    created_ts: FIRST_TS + n,
    admin: false,
    deactivated: false,
  };
}

/** The record of the n-th room. */
export function room(n: number, creator = n): object {
  return {
    room_id: roomId(n),
    creator: userId(creator),
    room_version: '10',
    created_ts: FIRST_TS + n,
    public: n % 3 === 0,
    canonical_alias: null,
  };
}

/** The history of a room. */
export interface RoomHistory {
  /** Its number. */
  readonly n: number;
  /** The numbers of its members, its creator first. */
  readonly members: readonly number[];
  /** How many messages its creator has sent. */
  readonly messages: number;
}

/** The id of an event of the n-th room. */
export function eventId(n: number, depth: number): string {
  return `$${createHash('sha256').update(`${n} ${depth}`).digest('base64url')}`;
}

/** The records of the events of a room, in order. */
export function* eventsOf({ n, members, messages }: RoomHistory): Generator<object> {
  const [first = n, ...others] = members;
  const creator = userId(first);
  let depth = 0;
  let previous: string[] = [];
  const next = (type: string, sender: string, content: object, stateKey?: string) => {
    depth++;
    const event = {
      event_id: eventId(n, depth),
      room_id: roomId(n),
      type,
      sender,
      ...(stateKey === undefined ? {} : { state_key: stateKey }),
      origin_server_ts: FIRST_TS + n * 1_000 + depth,
      content,
      depth,
      prev_events: previous,
      auth_events: [],
      hashes: { sha256: createHash('sha256').update(`hash ${n} ${depth}`).digest('base64').slice(0, -1) },
    };
    previous = [event.event_id];
    return event;
  };
  const join = (m: number) =>
    next('m.room.member', userId(m), { membership: 'join', displayname: displayName(m) }, userId(m));
  yield next('m.room.create', creator, { creator, room_version: '10' }, '');
  yield join(first);
  yield next('m.room.power_levels', creator, { users: { [creator]: 100 } }, '');
  yield next('m.room.join_rules', creator, { join_rule: n % 3 === 0 ? 'public' : 'invite' }, '');
  yield next('m.room.history_visibility', creator, { history_visibility: 'shared' }, '');
  if (n % 10 !== 0) yield next('m.room.name', creator, { name: `Room ${displayName(n)}` }, '');
  if (n % 4 === 0) {
    yield next('m.room.encryption', creator, { algorithm: 'm.megolm.v1.aes-sha2' }, '');
  }
  for (const member of others) yield join(member);
  for (let m = 0; m < messages; m++) {
    yield next('m.room.message', creator, { msgtype: 'm.text', body: `Message ${m} of ${displayName(n)}` });
  }
}

/** Writes records of a kind to a file for the import; returns its path. */
export async function write(directory: string, kind: string, records: Iterable<object>): Promise<string> {
  const file = join(directory, `${kind}.ndjson`);
  const out = createWriteStream(file);
  for (const record of records) {
    if (!out.write(`${JSON.stringify(record)}\n`)) {
      await new Promise((resolve) => out.once('drain', resolve));
    }
  }
  await new Promise<void>((resolve) => {
    out.end(resolve);
  });
  return file;
}
