import { setTimeout as sleep } from 'node:timers/promises';
import { path } from '@steward/testing';
import { choose } from '@steward/topology/testing';
import type { Caller } from './caller.ts';
import {
  activeUsers,
  count,
  type Deletion,
  type DeletionOutcome,
  openRooms,
  type Room,
  type User,
} from './model.ts';
import type { Workload } from './workload.ts';

/** The most users that send at the same time, and the most messages of each in a burst. */
const MOST_SENDERS = 3;
const MOST_MESSAGES = 3;

/** Members of a new room besides its creator and the watcher. */
const FIRST_MEMBERS = 3;

/** The pause before the next query for an order that may have been accepted, in milliseconds. */
const RETRY_MS = 200;

type WorkloadWithoutWatcher = Omit<Workload, 'watcher'>;
type Operation = (workload: Workload) => Promise<void>;

const adminPath = (below: string) => `/_service/admin${below}`;
const clientPath = (below: string) => `/_proto/client/v3${below}`;
const tokenOf = ({ tokens }: User) => tokens[0] ?? '';

/** Creates a user with a session and a device. */
export async function createUser({
  model,
  callers,
  adminToken: token,
  fresh,
}: WorkloadWithoutWatcher): Promise<User> {
  const [caller] = callers;
  const id = `@${fresh('user')}:test`;
  const at = adminPath(path`/v2/users/${id}`);
  await caller.must([200, 201], 'PUT', at, { token, body: { displayname: `Name of ${id}` } });
  await caller.must([200, 201], 'POST', `${at}/devices`, { token, body: { device_id: 'DEVICE' } });
  const login = adminPath(path`/v1/users/${id}/login`);
  const { body } = await caller.must([200], 'POST', login, { token, body: {} });
  const tokens = [body.access_token];
  const user = { id, tokens, deactivated: false, erased: false, redactionOrdered: false };
  model.users.push(user);
  return user;
}

/** Creates a room with the watcher and some others as members. */
export async function createRoom(workload: Workload): Promise<void> {
  const { random, model, callers, watcher, fresh } = workload;
  const creator = choose(random, activeUsers(workload.model));
  const others = some(workload, activeUsers(workload.model), FIRST_MEMBERS);
  const { id, alias } = await makeRoom(callers[0], creator, fresh('room'));
  const room: Room = {
    id,
    alias,
    creator: creator.id,
    members: new Set([creator.id]),
    doubtful: new Set(),
    invited: new Set(),
    outsiders: new Set(),
    messages: [],
    unacknowledged: new Map(),
    burst: 0,
    purgedBelow: 0,
    deletion: undefined,
  };
  model.rooms.push(room);
  const coming = new Set([watcher.user, ...others]);
  coming.delete(creator);
  await together(workload, [...coming], (caller, user) => enter(caller, room, user));
}

/** Creates a room. After an unanswered attempt, its alias shows whether it was created. */
async function makeRoom(caller: Caller, creator: User, name: string): Promise<{ id: string; alias: string }> {
  const token = tokenOf(creator);
  for (let localpart = name; ; localpart += '-again') {
    const alias = `#${localpart}:test`;
    const body = { preset: 'public_chat', name, room_alias_name: localpart };
    const made = await caller.must([200, 400], 'POST', clientPath('/createRoom'), { token, body });
    if (made.status === 200) return { id: made.body.room_id, alias };
    if (!made.doubtful) throw new Error(`A room was refused: ${made.text}`);
    const found = await caller.must([200, 404], 'GET', clientPath(path`/directory/room/${alias}`), { token });
    if (found.status === 200) return { id: found.body.room_id, alias };
  }
}

async function enter(caller: Caller, room: Room, user: User): Promise<void> {
  await caller.must([200], 'POST', clientPath(path`/join/${room.id}`), { token: tokenOf(user), body: {} });
  room.members.add(user.id);
}

const join: Operation = async (workload) => {
  const { random, callers } = workload;
  const room = choose(random, openRooms(workload.model));
  const user = outsiderTo(workload, room);
  if (user) await enter(callers[0], room, user);
};

/** No user joins a room again, so that a late, abandoned request changes nothing. */
const leave: Operation = async (workload) => {
  const { random, callers, watcher } = workload;
  const room = choose(random, openRooms(workload.model));
  const user = choose(random, membersOf(workload, room));
  if (user === watcher.user || user.id === room.creator) return;
  await callers[0].must([200], 'POST', clientPath(path`/rooms/${room.id}/leave`), {
    token: tokenOf(user),
    body: {},
  });
  room.members.delete(user.id);
  room.outsiders.add(user.id);
};

const invite: Operation = async (workload) => {
  const { random, callers } = workload;
  const room = choose(random, openRooms(workload.model));
  const by = membersOf(workload, room).find(({ id }) => id === room.creator);
  const user = outsiderTo(workload, room);
  if (!by || !user) return;
  const body = { user_id: user.id };
  await callers[0].must([200], 'POST', clientPath(path`/rooms/${room.id}/invite`), {
    token: tokenOf(by),
    body,
  });
  room.invited.add(user.id);
};

/** Sets account data of a room. */
const tag: Operation = async (workload) => {
  const { random, callers } = workload;
  const room = choose(random, openRooms(workload.model));
  const user = choose(random, membersOf(workload, room));
  const at = clientPath(path`/user/${user.id}/rooms/${room.id}/tags/u.kept`);
  await callers[0].must([200], 'PUT', at, { token: tokenOf(user), body: { order: 0.5 } });
};

const send: Operation = async (workload) => {
  await sendBurst(workload, choose(workload.random, openRooms(workload.model)));
};

/** Some members send at the same time. */
function sendBurst(workload: Workload, room: Room): Promise<void> {
  const { random, fresh } = workload;
  const senders = some(workload, sendersIn(workload, room), MOST_SENDERS).map((user) => ({
    user,
    bodies: Array.from({ length: 1 + random.below(MOST_MESSAGES) }, () => fresh('message')),
  }));
  const burst = ++room.burst;
  return together(workload, senders, async (caller, { user, bodies }) => {
    for (const body of bodies) await sendOne(caller, room, user, body, burst);
  });
}

async function sendOne(caller: Caller, room: Room, user: User, text: string, burst: number): Promise<string> {
  const { body } = await caller.must([200], 'PUT', messagePath(room, text), message(user, text));
  room.messages.push({ id: body.event_id, sender: user.id, burst, redacted: false });
  return body.event_id;
}

const messagePath = ({ id }: Room, txnId: string) =>
  clientPath(path`/rooms/${id}/send/m.room.message/${txnId}`);
const message = (user: User, body: string) => ({ token: tokenOf(user), body: { msgtype: 'm.text', body } });

/** Sends a message once, whether or not it arrives. */
async function sendUnacknowledged(caller: Caller, room: Room, user: User, text: string): Promise<void> {
  room.unacknowledged.set(user.id, (room.unacknowledged.get(user.id) ?? 0) + 1);
  await caller.tryOnce('PUT', messagePath(room, text), message(user, text));
}

const sync: Operation = ({ watcher, callers }) => watcher.sync.sync(callers[0]);

/** Purges the history before a message while others send. */
const purgeHistory: Operation = async (workload) => {
  const { random, callers, fresh } = workload;
  const room = choose(random, openRooms(workload.model));
  const [sender] = some(workload, sendersIn(workload, room), 1);
  if (!sender) return;
  const boundary = await sendOne(callers[0], room, sender, fresh('boundary'), ++room.burst);
  room.purgedBelow = room.burst;
  const order = async (caller: Caller) => {
    const at = adminPath(path`/v1/purge_history/${room.id}/${boundary}`);
    const { body } = await caller.must([200], 'POST', at, asAdmin(workload, { delete_local_events: true }));
    accept(workload, 'history purge', adminPath(path`/v1/purge_history_status/${body.purge_id}`));
  };
  await Promise.all([order(last(callers)), sendBurst({ ...workload, callers: [callers[0]] }, room)]);
};

/** Redacts the messages of a user, who sends nothing after that. */
const redactUser: Operation = async (workload) => {
  const { random, callers, watcher } = workload;
  const user = choose(random, activeUsers(workload.model));
  const rooms = openRooms(workload.model).filter(({ members }) => members.has(user.id));
  if (user === watcher.user || user.redactionOrdered || rooms.length === 0) return;
  user.redactionOrdered = true;
  for (const room of rooms) {
    for (const each of room.messages) if (each.sender === user.id) each.redacted = true;
  }
  const at = adminPath(path`/v1/user/${user.id}/redact`);
  const answer = await callers[0].must(
    [200, 400],
    'POST',
    at,
    asAdmin(workload, { rooms: rooms.map(({ id }) => id) }),
  );
  // An earlier, unanswered attempt was accepted, so that this one is refused.
  if (answer.status === 400 && !answer.doubtful) throw new Error(`A redaction was refused: ${answer.text}`);
  const id = answer.body.redact_id;
  if (id !== undefined) accept(workload, 'redaction', adminPath(path`/v1/user/redact_status/${id}`));
  else count(workload.model.accepted, 'redaction');
};

/** Deactivates a user who concurrently sends, joins, creates a room or is invited. */
const deactivate: Operation = async (workload) => {
  const { random, callers, watcher, model, fresh } = workload;
  const user = choose(random, activeUsers(workload.model));
  const erase = random.below(2) === 0;
  const at = some(workload, user.redactionOrdered ? [] : roomsOf(workload, user), 1);
  const elsewhere = some(
    workload,
    openRooms(workload.model).filter((room) => isNew(room, user)),
    1,
  );
  const text = fresh('last');
  // The model does not contain these rooms; the user must not be a member of them either.
  const founder = random.below(2) === 0 ? user : watcher.user;
  const invited = founder === user ? [] : [user.id];
  if (user === watcher.user) return;
  for (const room of elsewhere) room.doubtful.add(user.id);
  user.deactivated = true;
  user.erased = erase;
  const order = adminPath(path`/v1/deactivate/${user.id}`);
  const [first, second = first, third = first] = callers;
  await Promise.all([
    first.must([200], 'POST', order, asAdmin(workload, { erase })),
    ...at.map((room) => sendUnacknowledged(second, room, user, text)),
    third.tryOnce('POST', clientPath('/createRoom'), { token: tokenOf(founder), body: { invite: invited } }),
    ...elsewhere.map((room) =>
      last(callers).tryOnce('POST', clientPath(path`/join/${room.id}`), { token: tokenOf(user), body: {} }),
    ),
  ]);
  for (const room of model.rooms) {
    if (room.members.delete(user.id) || room.invited.delete(user.id)) room.doubtful.add(user.id);
  }
  count(model.accepted, erase ? 'deactivation with erasure' : 'deactivation');
};

/** Deletes a room while members send and a further user joins. */
const deleteRoom: Operation = async (workload) => {
  const { random, callers, watcher, fresh } = workload;
  const room = choose(random, openRooms(workload.model));
  const [block, purge, moves] = [random.below(2) === 0, random.below(4) > 0, random.below(2) === 0];
  const synchronous = random.below(3) === 0;
  const senders = some(workload, sendersIn(workload, room), callers.length - 2);
  const texts = senders.map(() => fresh('concurrent'));
  // Without a block, a user who joins late would prevent the purge.
  const late = block ? outsiderTo(workload, room) : undefined;
  const deletion: Deletion = {
    deleteId: undefined,
    outcome: undefined,
    block,
    purge,
    newRoomUser: moves ? watcher.user.id : undefined,
    members: new Set(room.members),
    invited: new Set(room.invited),
  };
  room.deletion = deletion;
  if (late) room.doubtful.add(late.id);
  const body = {
    block,
    purge,
    room_name: `Instead of ${room.alias}`,
    message: 'Moved',
    ...(moves ? { new_room_user_id: watcher.user.id } : {}),
  };
  const [first, second = first, ...others] = callers;
  await Promise.all([
    (synchronous ? deleteAtOnce : deleteLater)(workload, first, room, deletion, body),
    ...senders.map((user, n) => sendUnacknowledged(others[n] ?? second, room, user, texts[n] ?? '')),
    ...(late
      ? [second.tryOnce('POST', clientPath(path`/join/${room.id}`), { token: tokenOf(late), body: {} })]
      : []),
  ]);
};

async function deleteAtOnce(
  workload: Workload,
  caller: Caller,
  { id }: Room,
  deletion: Deletion,
  body: object,
): Promise<void> {
  const answer = await caller.must(
    [200, 400],
    'DELETE',
    adminPath(path`/v1/rooms/${id}`),
    asAdmin(workload, body),
  );
  // After an unanswered attempt was executed, the next one finds no room.
  if (answer.status === 400 && !answer.doubtful) throw new Error(`A deletion was refused: ${answer.text}`);
  if (!answer.doubtful) deletion.outcome = answer.body as DeletionOutcome;
  count(workload.model.accepted, 'room deletion');
}

async function deleteLater(
  workload: Workload,
  caller: Caller,
  { id }: Room,
  deletion: Deletion,
  body: object,
): Promise<void> {
  const at = adminPath(path`/v2/rooms/${id}`);
  for (;;) {
    const answer = await caller.must([200, 400], 'DELETE', at, asAdmin(workload, body));
    // An earlier, unanswered attempt may be running, which refuses this one, or be complete.
    deletion.deleteId = answer.doubtful
      ? await firstDeletionOf(workload, caller, `${at}/delete_status`)
      : answer.body.delete_id;
    if (answer.status === 400 && !answer.doubtful) throw new Error(`A deletion was refused: ${answer.text}`);
    if (deletion.deleteId !== undefined) break;
    await sleep(RETRY_MS);
  }
  accept(workload, 'deletion', adminPath(path`/v2/rooms/delete_status/${deletion.deleteId}`));
}

async function firstDeletionOf(workload: Workload, caller: Caller, at: string): Promise<string | undefined> {
  const { body } = await caller.must([200, 404], 'GET', at, asAdmin(workload));
  return body.results?.[0]?.delete_id;
}

function accept({ model }: Workload, kind: 'deletion' | 'history purge' | 'redaction', status: string): void {
  model.orders.push({ kind, status });
  count(model.accepted, kind === 'deletion' ? 'room deletion' : kind);
}

function asAdmin({ adminToken: token }: Workload, body?: object) {
  return body === undefined ? { token } : { token, body };
}

/** Distributes items over the callers, which act concurrently. */
async function together<T>(
  { callers }: WorkloadWithoutWatcher,
  items: readonly T[],
  act: (caller: Caller, item: T) => Promise<void>,
): Promise<void> {
  await Promise.all(
    callers.map(async (caller, index) => {
      for (const item of items.filter((_, n) => n % callers.length === index)) await act(caller, item);
    }),
  );
}

/** A random selection without repetition. */
function some<T>({ random }: WorkloadWithoutWatcher, items: readonly T[], atMost: number): readonly T[] {
  const left = [...items];
  const chosen: T[] = [];
  while (chosen.length < atMost && left.length > 0) chosen.push(...left.splice(random.below(left.length), 1));
  return chosen;
}

function membersOf(workload: Workload, room: Room): readonly User[] {
  return activeUsers(workload.model).filter(({ id }) => room.members.has(id));
}

function sendersIn(workload: Workload, room: Room): readonly User[] {
  return membersOf(workload, room).filter(({ redactionOrdered }) => !redactionOrdered);
}

function roomsOf(workload: Workload, user: User): readonly Room[] {
  return openRooms(workload.model).filter(({ members }) => members.has(user.id));
}

const isNew = ({ members, doubtful, invited, outsiders }: Room, { id }: User) =>
  ![members, doubtful, invited, outsiders].some((known) => known.has(id));

/** A user who never was in the room, nor invited. */
function outsiderTo(workload: Workload, room: Room): User | undefined {
  return some(
    workload,
    activeUsers(workload.model).filter((user) => isNew(room, user)),
    1,
  )[0];
}

const last = <T>(items: readonly [T, ...T[]]) => items.at(-1) as T;

/** The operations of a workload; those that are listed more often are chosen more often. */
export const OPERATIONS: readonly Operation[] = [
  ...Array.from({ length: 8 }, () => send),
  ...Array.from({ length: 4 }, () => sync),
  ...[join, join, join, leave, invite, tag, createRoom, createUserQuietly],
  ...[purgeHistory, purgeHistory, redactUser, deactivate, deactivate],
  ...[deleteRoom, deleteRoom, deleteRoom],
];

async function createUserQuietly(workload: Workload): Promise<void> {
  await createUser(workload);
}
