import { access, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadData, loadInto, userId } from '../data.ts';
import { mediaOf } from '../media-data.ts';
import { eventId, eventsOf, type RoomHistory, room, roomId, user, write } from '../rooms-data.ts';
import {
  CHANGED_ACCOUNTS,
  DELETED_ROOM_MEMBERS,
  DEVICES,
  JOBS,
  LARGE_ROOM_MEMBERS,
  MEDIA_OF_QUARANTINED,
  PURGED_MESSAGES,
  ROOMS_OF_ERASED,
  type Scale,
  USERS_WITH_DEVICES,
} from './scale.ts';

/** The most members of an ordinary room, and the events of such a room beside its messages, on average. */
const MAX_MEMBERS = 12;
const EVENTS_BESIDE_MESSAGES = 11;

/** The earliest time of the reports, in milliseconds since the Unix epoch. */
const FIRST_TS = 1_700_000_000_000;

/** The numbers of the objects that jobs change, which follow those of the scale. */
export function jobsOf(scale: Scale, n: number) {
  const rooms = scale.rooms + n * (2 + ROOMS_OF_ERASED);
  return {
    deletedRoom: rooms,
    purgedRoom: rooms + 1,
    roomsOfErased: Array.from({ length: ROOMS_OF_ERASED }, (_, room) => rooms + 2 + room),
    erasedUser: scale.users + n,
    quarantinedUser: scale.users + JOBS + n,
  };
}

/** The number of the first of the accounts in no room that change in turn. */
export const changedFrom = ({ users }: Scale): number => users + 2 * JOBS;

/** The large room. */
export const LARGE_ROOM = 0;

/**
 * Writes the data set of a scale into a directory with the command of `npm run import`, unless it is already there.
 *
 * @returns the rates of the import by kind, in records per second; empty when the data set was already there
 */
export async function writeScale(directory: string, scale: Scale): Promise<Readonly<Record<string, number>>> {
  const complete = join(directory, 'complete');
  if (await exists(complete)) return {};
  await rm(directory, { recursive: true, force: true });
  const data = join(directory, 'data');
  const rates = await writeRecords(join(directory, 'records'), scale, { STEWARD_DATA: data });
  await writeFile(`${complete}.part`, '');
  await rename(`${complete}.part`, complete);
  return rates;
}

/**
 * Writes everything of a scale into the server that the environment names, with the command of `npm run import`.
 *
 * @param directory a new directory for the records, which is removed at the end
 * @returns the rates of the import by kind, in records per second
 */
export async function writeRecords(
  directory: string,
  scale: Scale,
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, number>>> {
  const rates: Record<string, number> = {};
  rates.users = (await loadData(directory, scale.users, env)).perSecond;
  const load = async (kind: string, lines: Iterable<object>) => {
    const file = await write(directory, kind, lines);
    const rate = loadInto(file, env);
    await rm(file);
    return rate;
  };
  await load('users', moreUsers(scale));
  rates.media = await load('media', media(scale));
  rates.devices = await load('devices', devices());
  rates.rooms = await load('rooms', rooms(scale));
  rates.events = await load('events', events(scale));
  rates.reports = await load('reports', reports(scale));
  await rm(directory, { recursive: true });
  return rates;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function* moreUsers(scale: Scale): Generator<object> {
  for (let n = scale.users; n < changedFrom(scale) + CHANGED_ACCOUNTS; n++) yield user(n);
}

function* devices(): Generator<object> {
  for (let n = 0; n < USERS_WITH_DEVICES; n++) {
    for (let d = 0; d < DEVICES; d++) {
      yield {
        user_id: userId(n),
        device_id: `DEVICE${d}`,
        display_name: `Device ${d}`,
        last_seen_ip: '192.0.2.1',
        last_seen_user_agent: 'bench',
        last_seen_ts: FIRST_TS,
      };
    }
  }
}

/** The media of all users, and those that jobs quarantine. */
function media(scale: Scale): Iterable<object> {
  const each = Array.from({ length: JOBS }, (_, n) => ({
    user: jobsOf(scale, n).quarantinedUser,
    media: MEDIA_OF_QUARANTINED,
  }));
  return mediaOf({ users: scale.users, media: scale.media, ofFirst: 10, each });
}

/** The histories of all rooms. */
function* histories(scale: Scale): Generator<RoomHistory> {
  const messages = Math.max(1, Math.round(scale.events / scale.rooms) - EVENTS_BESIDE_MESSAGES);
  const membersFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, m) => (first + m) % scale.users);
  for (let n = 0; n < scale.rooms; n++) {
    const count = n === LARGE_ROOM ? LARGE_ROOM_MEMBERS : 2 + ((n * 7919) % (MAX_MEMBERS - 1));
    yield { n, members: membersFrom(n, count), messages };
  }
  for (let job = 0; job < JOBS; job++) {
    const { deletedRoom, purgedRoom, roomsOfErased, erasedUser } = jobsOf(scale, job);
    yield { n: deletedRoom, members: membersFrom(0, DELETED_ROOM_MEMBERS), messages: 3 };
    yield { n: purgedRoom, members: [job, job + 1], messages: PURGED_MESSAGES };
    for (const n of roomsOfErased) yield { n, members: [job, erasedUser, job + 1, job + 2], messages: 1 };
  }
}

/** The records of rooms. */
export function* rooms(scale: Scale): Generator<object> {
  for (const { n, members } of histories(scale)) yield room(n, members[0]);
}

/** The records of events. */
export function* events(scale: Scale): Generator<object> {
  for (const history of histories(scale)) yield* eventsOf(history);
}

/** The records of reports. */
export function* reports(scale: Scale): Generator<object> {
  for (let n = 0; n < scale.reports; n++) {
    const room = (n * 7_919) % scale.rooms;
    yield {
      id: n + 1,
      event_id: eventId(room, 1),
      room_id: roomId(room),
      user_id: userId((n * 104_729) % scale.users),
      received_ts: FIRST_TS + n,
      reason: 'spam',
      score: -50,
    };
  }
}
