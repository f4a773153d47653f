import { openSqliteStore } from '@steward/store';
import { expect, it, onTestFinished } from 'vitest';
import { type EventDocument, events } from './core/model/event-document.ts';
import { migrations } from './migrations.ts';

it('the events with which threads begin get the arrival of their newest reply', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const eventsOf = await store.collection(events);
  const put = (_id: string, arrival: number, more: Partial<EventDocument> = {}) =>
    eventsOf.insertOne({ _id, room_id: '!a:test', arrival, ...more } as EventDocument);
  await put('$root', 1);
  await put('$other', 2);
  const reply = { relates_to: '$root', rel_type: 'm.thread' };
  await put('$first', 3, reply);
  await put('$last', 4, reply);
  await put('$reference', 5, { relates_to: '$other', rel_type: 'm.reference' });
  await put('$elsewhere', 6, { ...reply, room_id: '!b:test' });
  const threads = migrations.find(({ name }) => name === 'the newest replies of threads');
  const latest = async () => (await eventsOf.findOne({ _id: '$root' }))?.thread_latest;
  await threads?.run(store);
  expect(await latest()).toBe(4);
  expect(await eventsOf.findOne({ _id: '$other' })).not.toHaveProperty('thread_latest');
  // A reply that came since is not undone when the migration is repeated.
  await eventsOf.updateOne({ _id: '$root' }, { $set: { thread_latest: 7 } });
  await threads?.run(store);
  expect(await latest()).toBe(7);
});
