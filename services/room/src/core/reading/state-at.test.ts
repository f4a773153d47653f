import { openSqliteStore } from '@steward/store';
import { expect, it, onTestFinished } from 'vitest';
import type { EventDocument } from '../model/event-document.ts';
import { events } from '../model/event-document.ts';
import { CURRENT, states } from '../model/state-document.ts';
import { stateEventsAt } from './state-at.ts';

const ROOM = '!room:test';

it('returns the state of the keys at the arrival, and the later one of two open intervals', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const deps = { states: await store.collection(states), events: await store.collection(events) };
  const put = async (_id: string, type: string, state_key: string, from: number, until = CURRENT) => {
    await deps.states.insertOne({ _id, room_id: ROOM, type, state_key, from, until });
    const event = { _id, room_id: ROOM, type, state_key, arrival: from } as EventDocument;
    await deps.events.insertOne(event);
  };
  await put('$create', 'm.room.create', '', 1);
  await put('$a1', 'm.room.member', '@a:test', 2);
  await put('$a2', 'm.room.member', '@a:test', 3);
  await put('$b1', 'm.room.member', '@b:test', 4, 6);
  await put('$b2', 'm.room.member', '@b:test', 6);
  // These combinations of a requested type and a requested key are not requested.
  await put('$topic', 'm.room.topic', '@a:test', 2);
  await put('$c', 'm.room.member', '', 2);
  const at = async (arrival: number) => {
    const found = await stateEventsAt(deps, { roomId: ROOM, arrival }, [
      ['m.room.create', ''],
      ['m.room.member', '@a:test'],
      ['m.room.member', '@b:test'],
      ['m.room.topic', ''],
    ]);
    return found.map(({ _id }) => _id).toSorted();
  };
  expect(await at(1)).toEqual(['$create']);
  expect(await at(2)).toEqual(['$a1', '$create']);
  expect(await at(5)).toEqual(['$a2', '$b1', '$create']);
  expect(await at(6)).toEqual(['$a2', '$b2', '$create']);
});
