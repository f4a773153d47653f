import { AccountDataService } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { Conflict, openSqliteStore, Unavailable } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { idOf, seedAccount, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, startTestService, type TestService } from '../../fixtures/test-service.ts';
import { watchedStore } from '../../fixtures/watched-store.ts';

const ALICE = idOf('alice');
const MINUTE_MS = 60_000;

/** An upper bound of the writes of a change. */
const MAX_WRITES = 10;

async function prepared() {
  const store = await openSqliteStore({ path: ':memory:' });
  const collections = await writableCollections(store);
  await seedAccount(collections, 'alice', { logins: { token: 'A' } });
  return { store, ...collections };
}

function put(service: TestService, type: string, value: unknown) {
  const client = service.client(AccountDataService, { token: 'token' });
  return client.putAccountData({ userId: ALICE, type, content: JSON.stringify(value) });
}

it('a change can be repeated when the process crashes before any of its writes', async () => {
  let reached = true;
  for (let crashAtWrite = 1; reached; crashAtWrite++) {
    expect(crashAtWrite).toBeLessThan(MAX_WRITES);
    const { store, accountData, accountDataStreams } = await prepared();
    let writes = 0;
    let armed = false;
    const failing = watchedStore(store, ({ write }) => {
      if (armed && write) writes++;
      if (armed && writes >= crashAtWrite) throw new Unavailable('This process has crashed');
    });
    const crashing = await startTestService({ store: failing, busStore: store });
    armed = true;
    reached = (await refusalOf(put(crashing, 'm.direct', { x: 1 }))) !== undefined;
    armed = false;
    await crashing.close();

    const fresh = await startTestService({ store });
    await put(fresh, 'm.direct', { x: 1 });
    await fresh.service.whenIdle();
    const stream = await accountDataStreams.findOne({ _id: ALICE });
    expect(stream?.pending).toEqual([]);
    expect(await accountData.find({}).toArray()).toMatchObject([
      { user_id: ALICE, type: 'm.direct', content: '{"x":1}', position: stream?.version },
    ]);
    await fresh.close();
    await store.close();
  }
});

it('recounts the data of an account before it refuses a change', async () => {
  const { store, accountDataStreams } = await prepared();
  const clock = createFakeClock();
  const service = await startTestService({ store, clock });
  await put(service, 'm.direct', {});
  const { bytes = 0 } = (await accountDataStreams.findOne({ _id: ALICE })) ?? {};
  // The state that a process leaves when it reserves space and crashes.
  await accountDataStreams.updateOne({ _id: ALICE }, { $set: { bytes: 2 ** 40 } });
  expect(await refusalOf(put(service, 'a', {}))).toBe('M_RESOURCE_LIMIT_EXCEEDED');
  // From then on no request can still write what it has reserved.
  clock.advance(MINUTE_MS);
  await put(service, 'a', {});
  expect((await accountDataStreams.findOne({ _id: ALICE }))?.bytes).toBeLessThan(3 * bytes);
  await service.close();
  await store.close();
});

it('keeps the space that other requests reserve during a recount', async () => {
  const { store, accountDataStreams } = await prepared();
  let armed = false;
  const racing = watchedStore(store, async ({ collection, operation }) => {
    if (!armed || collection !== 'user.account_data' || operation !== 'find') return;
    armed = false;
    await accountDataStreams.updateOne({ _id: ALICE }, { $inc: { bytes: 1_000_000 } });
  });
  const clock = createFakeClock();
  const service = await startTestService({ store: racing, busStore: store, clock });
  await put(service, 'm.direct', {});
  await accountDataStreams.updateOne({ _id: ALICE }, { $set: { bytes: 2 ** 40 } });
  clock.advance(MINUTE_MS);
  armed = true;
  await put(service, 'a', {});
  expect(armed).toBe(false);
  expect((await accountDataStreams.findOne({ _id: ALICE }))?.bytes).toBeGreaterThan(1_000_000);
  await service.close();
  await store.close();
});

it('reserves space while a concurrent request stores the first data of the account', async () => {
  const { store, accountDataStreams } = await prepared();
  let isFirst = true;
  const racing = watchedStore(store, async ({ collection, write }) => {
    if (!isFirst || !write || collection !== 'user.account_data_streams') return;
    isFirst = false;
    await accountDataStreams.insertOne({ _id: ALICE, version: 0, bytes: 1, counted_ts: Date.now() });
    throw new Conflict('_id');
  });
  const service = await startTestService({ store: racing, busStore: store });
  expect(await refusalOf(put(service, 'm.direct', { x: 1 }))).toBeUndefined();
  await service.close();
  await store.close();
});

it('does not recount the data of an account with every refused request', async () => {
  const { store, accountData, accountDataStreams } = await prepared();
  let counts = 0;
  const watched = watchedStore(store, ({ collection, operation }) => {
    if (collection === 'user.account_data' && operation === 'find') counts++;
  });
  const clock = createFakeClock();
  const service = await startTestService({ store: watched, busStore: store, clock });
  await put(service, 'm.direct', {});
  await accountData.updateMany({}, { $set: { bytes: 16 * 1024 * 1024 } });
  await accountDataStreams.updateOne({ _id: ALICE }, { $set: { bytes: 16 * 1024 * 1024 } });
  clock.advance(MINUTE_MS);
  for (let i = 0; i < 3; i++)
    expect(await refusalOf(put(service, 'a', {}))).toBe('M_RESOURCE_LIMIT_EXCEEDED');
  expect(counts).toBe(1);
  await accountData.deleteMany({});
  clock.advance(10_000);
  expect(await refusalOf(put(service, 'a', {}))).toBeUndefined();
  await service.close();
  await store.close();
});

it('limits the number of objects of an account, however small they are', async () => {
  const { store, accountData, accountDataStreams } = await prepared();
  const service = await startTestService({ store });
  await put(service, 'm.direct', {});
  await accountData.updateMany({}, { $set: { bytes: 16 * 1024 * 1024 } });
  await accountDataStreams.updateOne({ _id: ALICE }, { $set: { bytes: 16 * 1024 * 1024 } });
  expect(await refusalOf(put(service, 'a', {}))).toBe('M_RESOURCE_LIMIT_EXCEEDED');
  expect(await refusalOf(put(service, 'm.direct', { y: 1 }))).toBeUndefined();
  await service.close();
  await store.close();
});

it('limits the number of objects that an earlier version of the server has stored', async () => {
  const { store, accountDataStreams } = await prepared();
  const service = await startTestService({ store, config: { quotas: { account_data_count: 2 } } });
  await put(service, 'a', {});
  await put(service, 'b', {});
  await accountDataStreams.updateOne({ _id: ALICE }, { $unset: { entries: true } });
  expect(await refusalOf(put(service, 'c', {}))).toBe('M_RESOURCE_LIMIT_EXCEEDED');
  expect(await refusalOf(put(service, 'a', { longer: true }))).toBeUndefined();
  expect(await accountDataStreams.findOne({ _id: ALICE })).toMatchObject({ entries: 2 });
  await service.close();
  await store.close();
});

it('never exceeds the number of objects, also when requests take turns', async () => {
  const { store, accountData } = await prepared();
  // The second request begins after the first one has reserved space, and before it writes.
  let second: Promise<string | undefined> | undefined;
  const racing = watchedStore(store, async ({ collection, write }) => {
    if (!write || collection !== 'user.account_data' || second) return;
    second = refusalOf(put(service, 'b', {}));
    await second;
  });
  const config = { quotas: { account_data_count: 1 } };
  const service = await startTestService({ store: racing, busStore: store, config });
  expect(await refusalOf(put(service, 'a', {}))).toBeUndefined();
  expect(await second).toBe('M_RESOURCE_LIMIT_EXCEEDED');
  expect(await accountData.find({}).toArray()).toMatchObject([{ type: 'a' }]);
  await service.close();
  await store.close();
});
