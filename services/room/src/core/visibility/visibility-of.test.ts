import { openSqliteStore } from '@steward/store';
import { expect, it, onTestFinished } from 'vitest';
import { type EventDocument, events } from '../model/event-document.ts';
import { CURRENT, states } from '../model/state-document.ts';
import { visibilityOf } from './visibility-of.ts';

const ROOM = '!room:test';
const TYPE = 'm.room.history_visibility';

it('reads the changes of the visibility only if there were any among the events', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const statesOf = await store.collection(states);
  const eventsOf = await store.collection(events);
  const changes: unknown[] = [];
  const deps = {
    states: {
      ...statesOf,
      find: (...[filter, options]: Parameters<typeof statesOf.find>) => {
        if (filter.type === TYPE && filter.until === undefined) changes.push(filter);
        return statesOf.find(filter, options);
      },
    },
    events: eventsOf,
    users: { erased: async () => new Set<string>() },
  } as unknown as Parameters<typeof visibilityOf>[0];
  const put = async (_id: string, from: number, until: number, visibility: string) => {
    await statesOf.insertOne({ _id, room_id: ROOM, type: TYPE, state_key: '', from, until });
    const event = {
      type: TYPE,
      sender: '@a:test',
      content: { history_visibility: visibility },
      state_key: '',
    };
    const json = JSON.stringify(event);
    await eventsOf.insertOne({
      _id,
      room_id: ROOM,
      room_version: '10',
      arrival: from,
      json,
    } as EventDocument);
  };
  await put('$first', 1, 5, 'world_readable');
  await put('$second', 5, CURRENT, 'joined');
  const seen = (...arrivals: number[]) => {
    const documents = arrivals.map(
      (arrival) => ({ _id: `$${arrival}`, arrival, sender: '@a:test' }) as EventDocument,
    );
    const viewing = { member: undefined, roomId: ROOM, arrival: 9, room: {} };
    return visibilityOf(deps, documents, viewing, '@b:test');
  };
  expect(await seen(2, 3)).toEqual(['whole', 'whole']);
  expect(changes).toHaveLength(0);
  expect(await seen(3, 7)).toEqual(['whole', 'hidden']);
  expect(changes).toHaveLength(1);
  expect(await seen(7)).toEqual(['hidden']);
  expect(changes).toHaveLength(1);
});
