import { isObject, own } from '@steward/kernel';
import { FORKED, HISTORY, hasLostFork, heldState, isSoftFailed } from '../history.ts';
import { literal, type Row, type SourceDatabase } from '../source/database.ts';
import { jsonObject } from '../source/row.ts';
import { OldState, stateKeyOf } from './old-state.ts';

/** The tables without which nothing is known of the state at events. */
const TABLES = [
  'event_to_state_groups',
  'state_groups',
  'state_groups_state',
  'state_group_edges',
  'event_json',
];

const VISIBILITY = stateKeyOf('m.room.history_visibility', '');

/** What a room without the event has. */
const DEFAULT_VISIBILITY = 'shared';
const NO_MEMBERSHIP = 'leave';

/** A room at whose messages the state differs from what follows from the order of its events, because its history has forked. */
export interface ForkedRoom {
  readonly room_id: string;
  /** How many messages there are at which the state differs. */
  readonly messages: number;
  /** At how many of them the visibility of the history differs. */
  readonly visibility: number;
  /** The local users of whom the membership differs so that they see other messages, with the numbers of these. */
  readonly users: readonly { readonly user_id: string; readonly more: number; readonly fewer: number }[];
}

/** A value on the old server, and what follows from the order of the events. */
interface Pair {
  readonly there: string;
  readonly here: string;
}

/** Finds the rooms whose state at messages differs, and what users see other than on the old server. */
export async function* forkedRooms(database: SourceDatabase, serverName: string): AsyncGenerator<ForkedRoom> {
  if (TABLES.some((table) => !database.tables.has(table))) return;
  const rooms = database.rows(
    `SELECT room_id FROM ${FORKED.replace('$false', database.no)} GROUP BY room_id ORDER BY ${database.inOrder('room_id')}`,
  );
  for await (const { room_id } of rooms) {
    const room = await compareRoom(database, String(room_id), serverName);
    if (room.messages > 0) yield room;
  }
}

async function compareRoom(
  database: SourceDatabase,
  roomId: string,
  serverName: string,
): Promise<ForkedRoom> {
  const there = await OldState.open(database, roomId);
  const here = new Map<string, string>();
  const differing = new Set<string>();
  const members = new Map<string, Pair>();
  const counts = new Map<string, { more: number; fewer: number }>();
  let visibility: Pair = { there: DEFAULT_VISIBILITY, here: DEFAULT_VISIBILITY };
  let [messages, unlike] = [0, 0];
  const compare = async (key: string) => {
    const ids = { there: there.get(key), here: here.get(key) };
    if (ids.there === ids.here) differing.delete(key);
    else differing.add(key);
    if (key === VISIBILITY)
      visibility = await valuesOf(database, ids, 'history_visibility', DEFAULT_VISIBILITY);
    const [type, user = ''] = JSON.parse(key) as readonly string[];
    if (type !== 'm.room.member' || !user.endsWith(`:${serverName}`)) return;
    members.delete(user);
    if (ids.there === ids.here) return;
    const values = await valuesOf(database, ids, 'membership', NO_MEMBERSHIP);
    if (values.there !== values.here) members.set(user, values);
  };
  for await (const row of eventsOf(database, roomId)) {
    const touched = row.state_group === null ? [] : await there.moveTo(Number(row.state_group));
    const keys = new Set(touched);
    const isShown = !isHiddenHere(row);
    if (row.state_key !== null && isShown) {
      const key = stateKeyOf(row.type, row.state_key);
      here.set(key, String(row.event_id));
      keys.add(key);
    }
    for (const key of keys) await compare(key);
    if (row.state_key !== null || !isShown || differing.size === 0) continue;
    messages++;
    if (visibility.there !== visibility.here) unlike++;
    for (const [user, membership] of members) {
      const [before, after] = [
        sees(visibility.there, membership.there),
        sees(visibility.here, membership.here),
      ];
      if (before === after) continue;
      const count = counts.get(user) ?? { more: 0, fewer: 0 };
      counts.set(user, count);
      if (after) count.more++;
      else count.fewer++;
    }
  }
  const users = [...counts].map(([user_id, count]) => ({ user_id, ...count }));
  return { room_id: roomId, messages, visibility: unlike, users };
}

function eventsOf(database: SourceDatabase, roomId: string): AsyncIterable<Row> {
  const { columns, joins } = heldState(database);
  return database.rows(
    `SELECT events.event_id, events.type, events.state_key, events.stream_ordering, own.state_group, event_json.internal_metadata${columns} FROM events JOIN event_json ON event_json.event_id = events.event_id LEFT JOIN event_to_state_groups AS own ON own.event_id = events.event_id${joins} WHERE events.room_id = ${literal(roomId)} AND ${HISTORY.replace('$false', database.no)} ORDER BY events.stream_ordering`,
  );
}

/** Whether an event is hidden here, or not carried. */
function isHiddenHere(row: Row): boolean {
  try {
    return isSoftFailed(row) || hasLostFork(row);
  } catch {
    return true;
  }
}

/** Whether a user with a membership sees a message while the history has a visibility. */
function sees(visibility: string, membership: string): boolean {
  if (membership === 'join' || visibility === 'world_readable' || visibility === 'shared') return true;
  return visibility === 'invited' && membership === 'invite';
}

/** The values of a field in the contents of two events. */
async function valuesOf(
  database: SourceDatabase,
  { there, here }: { readonly there: string | undefined; readonly here: string | undefined },
  field: string,
  otherwise: string,
): Promise<Pair> {
  const read = async (eventId: string | undefined) => {
    if (eventId === undefined) return otherwise;
    const rows = database.rows(`SELECT json FROM event_json WHERE event_id = ${literal(eventId)}`);
    for await (const row of rows) {
      const content = own(jsonObject(row, 'json'), 'content');
      const value = isObject(content) ? own(content, field) : undefined;
      if (typeof value === 'string') return value;
    }
    return otherwise;
  };
  return { there: await read(there), here: await read(here) };
}
