import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fromEnvelope } from './envelope.ts';
import { type Outbox, openOutbox, outboxDeclaration } from './outbox.ts';
import { createdEvent } from './testing/sample-facts.ts';

let store: Store;
let outbox: Outbox;

beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  outbox = await openOutbox(store, 'user');
});
afterEach(() => store.close());

async function stored() {
  const entries = await store.collection(outboxDeclaration('user'));
  const found = await entries.find({}, { sort: { aggregate: 1, sequence: 1, _id: 1 } }).toArray();
  return found.map(({ envelope }) => fromEnvelope(Buffer.from(envelope, 'base64')));
}

it('stores events', async () => {
  await outbox.add([createdEvent('b', 1), createdEvent('a', 10), createdEvent('a', 9)]);
  expect(await stored()).toEqual([createdEvent('a', 9), createdEvent('a', 10), createdEvent('b', 1)]);
});

it('stores an event once when it is added again', async () => {
  await outbox.add([createdEvent('a', 1)]);
  await outbox.add([createdEvent('a', 1), createdEvent('a', 2)]);
  await outbox.add([]);
  expect(await stored()).toEqual([createdEvent('a', 1), createdEvent('a', 2)]);
});

it('separates the events of services', async () => {
  const other = await openOutbox(store, 'room');
  await other.add([createdEvent('a', 1)]);
  expect(await stored()).toEqual([]);
});

it('replaces an earlier event, and stores the new one also when the earlier one was published', async () => {
  await outbox.add([createdEvent('a', 1), createdEvent('b', 1)]);
  await outbox.replace(createdEvent('a', 1), createdEvent('a', 2));
  await outbox.replace(createdEvent('published', 1), createdEvent('c', 2));
  expect(await stored()).toEqual([createdEvent('a', 2), createdEvent('b', 1), createdEvent('c', 2)]);
});
