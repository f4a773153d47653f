import { setTimeout as sleep } from 'node:timers/promises';
import { path } from '@steward/testing';
import { choose } from '@steward/topology/testing';
import type { Caller } from './caller.ts';
import type { Crew } from './crew.ts';
import {
  activeUsers,
  count,
  type Deletion,
  type DeletionOutcome,
  openRooms,
  type Room,
  type User,
} from './model.ts';

/** Users that send at the same time, and what each sends in a burst at most. */
const MOST_SENDERS = 3;
const MOST_MESSAGES = 3;

/** Members of a new room beside its creator and the watcher. */
const FIRST_MEMBERS = 3;

/** How long one waits for another look at an order of which nobody knows whether it was taken, in milliseconds. */
const SECOND_LOOK_MS = 200;

type Making = Omit<Crew, 'watcher'>;
type Operation = (crew: Crew) => Promise<void>;

const adminPath = (below: string) => `/_service/admin${below}`;
const clientPath = (below: string) => `/_proto/client/v3${below}`;
const tokenOf = ({ tokens }: User) => tokens[0] ?? '';

/** Makes a user with a session and a device. */
export async function createUser({ model, hands, adminToken: token, fresh }: Making): Promise<User> {
  const [caller] = hands;
  const id = `@${fresh('user')}:test`;
  const at = adminPath(path`/v2/users/${id}`);
  await caller.must([200, 201], 'PUT', at, { token, body: { displayname: `Name of ${id}` } });
  await caller.must([200, 201], 'POST', `${at}/devices`, { token, body: { device_id: 'DEVICE' } });
  const login = adminPath(path`/v1/users/${id}/login`);
  const { body } = await caller.must([200], 'POST', login, { token, body: {} });
  const tokens = [body.access_token];
  const user = { id, tokens, deactivated: false, erased: false, silenced: false };
  model.users.push(user);
  return user;
}

/** Makes a room in which the watcher and some others are. */
export async function createRoom(crew: Crew): Promise<void> {
  const { random, model, hands, watcher, fresh } = crew;
  const creator = choose(random, activeUsers(crew.model));
  const others = some(crew, activeUsers(crew.model), FIRST_MEMBERS);
  const { id, alias } = await makeRoom(hands[0], creator, fresh('room'));
  const room: Room = {
    id,
    alias,
    creator: creator.id,
    members: new Set([creator.id]),
    doubtful: new Set(),
    strangers: new Set(),
    messages: [],
    unheard: new Map(),
    burst: 0,
    purgedBelow: 0,
    deletion: undefined,
  };
  model.rooms.push(room);
  const coming = new Set([watcher.user, ...others]);
  coming.delete(creator);
  await together(crew, [...coming], (caller, user) => enter(caller, room, user));
}

/** One that was not answered may have been made: its alias tells. */
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

const join: Operation = async (crew) => {
  const { random, hands } = crew;
  const room = choose(random, openRooms(crew.model));
  const user = strangerTo(crew, room);
  if (user) await enter(hands[0], room, user);
};

/** Nobody comes back, so that a request that was given up and is late changes nothing. */
const leave: Operation = async (crew) => {
  const { random, hands, watcher } = crew;
  const room = choose(random, openRooms(crew.model));
  const user = choose(random, membersOf(crew, room));
  if (user === watcher.user || user.id === room.creator) return;
  await hands[0].must([200], 'POST', clientPath(path`/rooms/${room.id}/leave`), {
    token: tokenOf(user),
    body: {},
  });
  room.members.delete(user.id);
  room.strangers.add(user.id);
};

const invite: Operation = async (crew) => {
  const { random, hands } = crew;
  const room = choose(random, openRooms(crew.model));
  const by = membersOf(crew, room).find(({ id }) => id === room.creator);
  const user = strangerTo(crew, room);
  if (!by || !user) return;
  const body = { user_id: user.id };
  await hands[0].must([200], 'POST', clientPath(path`/rooms/${room.id}/invite`), {
    token: tokenOf(by),
    body,
  });
  room.strangers.add(user.id);
};

/** Data of an account that belong to a room. */
const tag: Operation = async (crew) => {
  const { random, hands } = crew;
  const room = choose(random, openRooms(crew.model));
  const user = choose(random, membersOf(crew, room));
  const at = clientPath(path`/user/${user.id}/rooms/${room.id}/tags/u.kept`);
  await hands[0].must([200], 'PUT', at, { token: tokenOf(user), body: { order: 0.5 } });
};

const send: Operation = async (crew) => {
  await sendBurst(crew, choose(crew.random, openRooms(crew.model)));
};

/** Some send at the same time. */
function sendBurst(crew: Crew, room: Room): Promise<void> {
  const { random, fresh } = crew;
  const senders = some(crew, sendersIn(crew, room), MOST_SENDERS).map((user) => ({
    user,
    bodies: Array.from({ length: 1 + random.below(MOST_MESSAGES) }, () => fresh('message')),
  }));
  const burst = ++room.burst;
  return together(crew, senders, async (caller, { user, bodies }) => {
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

/** Sends something of which nobody needs to know whether it arrives. */
async function sendUnheard(caller: Caller, room: Room, user: User, text: string): Promise<void> {
  room.unheard.set(user.id, (room.unheard.get(user.id) ?? 0) + 1);
  await caller.tryOnce('PUT', messagePath(room, text), message(user, text));
}

const sync: Operation = ({ watcher, hands }) => watcher.sync.sync(hands[0]);

/** Purges what was sent before a message, while others send. */
const purgeHistory: Operation = async (crew) => {
  const { random, hands, fresh } = crew;
  const room = choose(random, openRooms(crew.model));
  const [sender] = some(crew, sendersIn(crew, room), 1);
  if (!sender) return;
  const boundary = await sendOne(hands[0], room, sender, fresh('boundary'), ++room.burst);
  room.purgedBelow = room.burst;
  const order = async (caller: Caller) => {
    const at = adminPath(path`/v1/purge_history/${room.id}/${boundary}`);
    const { body } = await caller.must([200], 'POST', at, asAdmin(crew, { delete_local_events: true }));
    accept(crew, 'history purge', adminPath(path`/v1/purge_history_status/${body.purge_id}`));
  };
  await Promise.all([order(last(hands)), sendBurst({ ...crew, hands: [hands[0]] }, room)]);
};

/** Redacts what a user has sent, who sends nothing more. */
const redactUser: Operation = async (crew) => {
  const { random, hands, watcher } = crew;
  const user = choose(random, activeUsers(crew.model));
  const rooms = openRooms(crew.model).filter(({ members }) => members.has(user.id));
  if (user === watcher.user || user.silenced || rooms.length === 0) return;
  user.silenced = true;
  for (const room of rooms) {
    for (const each of room.messages) if (each.sender === user.id) each.redacted = true;
  }
  const at = adminPath(path`/v1/user/${user.id}/redact`);
  const answer = await hands[0].must(
    [200, 400],
    'POST',
    at,
    asAdmin(crew, { rooms: rooms.map(({ id }) => id) }),
  );
  // Refused, because the attempt of which nothing was heard was taken.
  if (answer.status === 400 && !answer.doubtful) throw new Error(`A redaction was refused: ${answer.text}`);
  const id = answer.body.redact_id;
  if (id !== undefined) accept(crew, 'redaction', adminPath(path`/v1/user/redact_status/${id}`));
  else count(crew.model.accepted, 'redaction');
};

/** Deactivates a user who goes on sending, joining, making rooms and being invited as long as that can be done. */
const deactivate: Operation = async (crew) => {
  const { random, hands, watcher, model, fresh } = crew;
  const user = choose(random, activeUsers(crew.model));
  const erase = random.below(2) === 0;
  const at = some(crew, user.silenced ? [] : roomsOf(crew, user), 1);
  const elsewhere = some(
    crew,
    openRooms(crew.model).filter((room) => isNew(room, user)),
    1,
  );
  const text = fresh('last');
  // Rooms of which nothing more is known: that the user is not in them must hold all the same.
  const founder = random.below(2) === 0 ? user : watcher.user;
  const invited = founder === user ? [] : [user.id];
  if (user === watcher.user) return;
  for (const room of elsewhere) room.doubtful.add(user.id);
  user.deactivated = true;
  user.erased = erase;
  const order = adminPath(path`/v1/deactivate/${user.id}`);
  const [first, second = first, third = first] = hands;
  await Promise.all([
    first.must([200], 'POST', order, asAdmin(crew, { erase })),
    ...at.map((room) => sendUnheard(second, room, user, text)),
    third.tryOnce('POST', clientPath('/createRoom'), { token: tokenOf(founder), body: { invite: invited } }),
    ...elsewhere.map((room) =>
      last(hands).tryOnce('POST', clientPath(path`/join/${room.id}`), { token: tokenOf(user), body: {} }),
    ),
  ]);
  for (const room of model.rooms) if (room.members.delete(user.id)) room.doubtful.add(user.id);
  count(model.accepted, erase ? 'deactivation with erasure' : 'deactivation');
};

/** Deletes a room in which people go on sending, and into which somebody is about to come. */
const deleteRoom: Operation = async (crew) => {
  const { random, hands, watcher, fresh } = crew;
  const room = choose(random, openRooms(crew.model));
  const [block, purge, moves] = [random.below(2) === 0, random.below(4) > 0, random.below(2) === 0];
  const synchronous = random.below(3) === 0;
  const senders = some(crew, sendersIn(crew, room), hands.length - 2);
  const texts = senders.map(() => fresh('amid'));
  // Somebody who comes late would be in the way of the purge where nothing keeps them out.
  const late = block ? strangerTo(crew, room) : undefined;
  const deletion: Deletion = {
    deleteId: undefined,
    outcome: undefined,
    block,
    purge,
    newRoomUser: moves ? watcher.user.id : undefined,
    members: new Set(room.members),
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
  const [first, second = first, ...others] = hands;
  await Promise.all([
    (synchronous ? deleteAtOnce : deleteLater)(crew, first, room, deletion, body),
    ...senders.map((user, n) => sendUnheard(others[n] ?? second, room, user, texts[n] ?? '')),
    ...(late
      ? [second.tryOnce('POST', clientPath(path`/join/${room.id}`), { token: tokenOf(late), body: {} })]
      : []),
  ]);
};

async function deleteAtOnce(
  crew: Crew,
  caller: Caller,
  { id }: Room,
  deletion: Deletion,
  body: object,
): Promise<void> {
  const answer = await caller.must(
    [200, 400],
    'DELETE',
    adminPath(path`/v1/rooms/${id}`),
    asAdmin(crew, body),
  );
  // Once it is done, another attempt finds no room.
  if (answer.status === 400 && !answer.doubtful) throw new Error(`A deletion was refused: ${answer.text}`);
  if (!answer.doubtful) deletion.outcome = answer.body as DeletionOutcome;
  count(crew.model.accepted, 'room deletion');
}

async function deleteLater(
  crew: Crew,
  caller: Caller,
  { id }: Room,
  deletion: Deletion,
  body: object,
): Promise<void> {
  const at = adminPath(path`/v2/rooms/${id}`);
  for (;;) {
    const answer = await caller.must([200, 400], 'DELETE', at, asAdmin(crew, body));
    // Of an attempt of which nothing was heard: it may stand in the way of this one, or have been done already.
    deletion.deleteId = answer.doubtful
      ? await firstDeletionOf(crew, caller, `${at}/delete_status`)
      : answer.body.delete_id;
    if (answer.status === 400 && !answer.doubtful) throw new Error(`A deletion was refused: ${answer.text}`);
    if (deletion.deleteId !== undefined) break;
    await sleep(SECOND_LOOK_MS);
  }
  accept(crew, 'deletion', adminPath(path`/v2/rooms/delete_status/${deletion.deleteId}`));
}

async function firstDeletionOf(crew: Crew, caller: Caller, at: string): Promise<string | undefined> {
  const { body } = await caller.must([200, 404], 'GET', at, asAdmin(crew));
  return body.results?.[0]?.delete_id;
}

function accept({ model }: Crew, kind: 'deletion' | 'history purge' | 'redaction', status: string): void {
  model.orders.push({ kind, status });
  count(model.accepted, kind === 'deletion' ? 'room deletion' : kind);
}

function asAdmin({ adminToken: token }: Crew, body?: object) {
  return body === undefined ? { token } : { token, body };
}

/** Each of some things is done by a hand of its own, as far as there are hands. */
async function together<T>(
  { hands }: Making,
  items: readonly T[],
  act: (caller: Caller, item: T) => Promise<void>,
): Promise<void> {
  await Promise.all(
    hands.map(async (caller, hand) => {
      for (const item of items.filter((_, n) => n % hands.length === hand)) await act(caller, item);
    }),
  );
}

/** Some of several, none of them twice. */
function some<T>({ random }: Making, items: readonly T[], atMost: number): readonly T[] {
  const left = [...items];
  const chosen: T[] = [];
  while (chosen.length < atMost && left.length > 0) chosen.push(...left.splice(random.below(left.length), 1));
  return chosen;
}

function membersOf(crew: Crew, room: Room): readonly User[] {
  return activeUsers(crew.model).filter(({ id }) => room.members.has(id));
}

function sendersIn(crew: Crew, room: Room): readonly User[] {
  return membersOf(crew, room).filter(({ silenced }) => !silenced);
}

function roomsOf(crew: Crew, user: User): readonly Room[] {
  return openRooms(crew.model).filter(({ members }) => members.has(user.id));
}

const isNew = ({ members, doubtful, strangers }: Room, { id }: User) =>
  ![members, doubtful, strangers].some((known) => known.has(id));

/** Somebody who was never in the room. */
function strangerTo(crew: Crew, room: Room): User | undefined {
  return some(
    crew,
    activeUsers(crew.model).filter((user) => isNew(room, user)),
    1,
  )[0];
}

const last = <T>(items: readonly [T, ...T[]]) => items.at(-1) as T;

/** What a crew does; those that stand more often come about more often. */
export const OPERATIONS: readonly Operation[] = [
  ...Array.from({ length: 8 }, () => send),
  ...Array.from({ length: 4 }, () => sync),
  ...[join, join, join, leave, invite, tag, createRoom, createUserQuietly],
  ...[purgeHistory, purgeHistory, redactUser, deactivate, deactivate],
  ...[deleteRoom, deleteRoom, deleteRoom],
];

async function createUserQuietly(crew: Crew): Promise<void> {
  await createUser(crew);
}
