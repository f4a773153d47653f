import {
  type Collection,
  type Doc,
  type Filter,
  type FindOptions,
  openSqliteStore,
  type Store,
} from '@steward/store';
import { explain } from '@steward/store/testing';
import type { Task } from '@steward/tasks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tasks } from '../../core/collections.ts';
import { aliases } from '../../core/model/alias.ts';
import { events } from '../../core/model/event-document.ts';
import { members } from '../../core/model/member.ts';
import { rooms } from '../../core/model/room.ts';
import { states } from '../../core/model/state-document.ts';

const ROOM = '!room:test';
const SORTS_OR_READS_ALL = /TEMP B-TREE FOR ORDER|^SCAN \w+\.\w+(?! USING)/m;

let store: Store;
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
});
afterAll(() => store.close());

function expectIndexed<T extends Doc>(
  collection: Collection<T>,
  filter: Filter<T>,
  options: FindOptions<T> = {},
): void {
  const { plan } = explain(collection, filter, options);
  expect(plan.join('\n')).not.toMatch(SORTS_OR_READS_ALL);
}

it('an index serves the queries for the documents of a room', async () => {
  for (const declaration of [aliases, events, members, states]) {
    const collection = (await store.collection<Doc>(declaration as never)) as Collection<
      Doc & { room_id: string }
    >;
    expectIndexed(collection, { room_id: ROOM }, { limit: 10 });
  }
  const range = { $gte: 5, $lt: 9 };
  const first = { limit: 1 };
  expectIndexed(
    await store.collection(events),
    { room_id: ROOM, arrival: range },
    { sort: { arrival: 1 }, ...first },
  );
  expectIndexed(
    await store.collection(states),
    { room_id: ROOM, from: range },
    { sort: { from: 1 }, ...first },
  );
  expectIndexed(await store.collection(rooms), { founded_by: 'x' });
});

it('an index serves the query for the next members', async () => {
  const next = {
    room_id: ROOM,
    local: true,
    forgotten: false,
    membership: 'join',
    _id: { $gt: `${ROOM} @a:test` },
  };
  expectIndexed(await store.collection(members), next, { sort: { _id: 1 }, limit: 64 });
});

it('an index serves the queries for events to purge or redact', async () => {
  const collection = await store.collection(events);
  const inOrder = { sort: { depth: 1, arrival: 1 }, limit: 10 } as const;
  expectIndexed(collection, { room_id: ROOM, depth: 5, arrival: { $gt: 5 } }, inOrder);
  expectIndexed(collection, { room_id: ROOM, depth: { $gt: 5, $lt: 9 }, arrival: { $gte: 1 } }, inOrder);
  expectIndexed(
    collection,
    { received_ts: { $gte: 5 }, arrival: { $gte: 1 } },
    { sort: { received_ts: 1 }, limit: 1 },
  );
  expectIndexed(
    collection,
    {
      sender: '@a:test',
      room_id: ROOM,
      arrival: { $gte: 1, $lt: 9 },
      type: { $in: ['m.room.message', 'm.room.member'] },
    },
    { sort: { arrival: -1 }, limit: 10 },
  );
});

it('an index serves the query for the next room with events of a user', async () => {
  expectIndexed(
    await store.collection(events),
    { sender: '@a:test', room_id: { $gt: ROOM }, arrival: { $gte: 1 } },
    { sort: { room_id: 1 }, limit: 1 },
  );
});

it('an index serves the queries for tasks', async () => {
  const collection = await store.collection(tasks.tasks);
  expectIndexed(collection, { due: { $lte: 5 } }, { sort: { due: 1 } });
  const open = { key: ROOM, state: { $in: ['scheduled', 'active'] } } as const;
  expectIndexed(collection, open, { sort: { order: 1 }, limit: 1 });
  expectIndexed(collection, { key: ROOM, kind: 'x' }, { sort: { order: 1 } });
  expectIndexed(collection, { keep_until: { $lte: 5 } }, { limit: 10 });
  expectIndexed(await store.collection(tasks.parts), { task: 'x' }, { sort: { number: 1 } });
  const position = {
    $and: [{ created_ts: { $lte: 5 } }, { $or: [{ created_ts: { $lt: 5 } }, { _id: { $lt: 'x' } }] }],
  };
  const page = { sort: { created_ts: -1, _id: -1 }, limit: 10 } as const;
  for (const chosen of [
    {},
    { key: ROOM },
    { requested_by: '@a:test' },
    { kind: { $in: ['x'] } },
    { state: { $in: ['active', 'failed'] } },
    { kind: { $in: ['x', 'y'] }, state: { $in: ['active'] }, created_ts: { $gte: 3, $lte: 9 } },
  ] satisfies Filter<Task>[]) {
    expectIndexed(collection, { $nor: [{ keep_until: { $lte: 5 } }], ...chosen, $and: [position] }, page);
  }
});
