import { AccountFeedService } from '@steward/proto/steward/user/v1/account_feed_pb.ts';
import { OwnDeviceService } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import { openSqliteStore, Unavailable } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { idOf, seedAccount, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, startTestService, type TestService } from '../../fixtures/test-service.ts';
import { watchedStore } from '../../fixtures/watched-store.ts';
import { noRooms } from '../../peers/rooms.ts';
import { deviceKey } from '../model/device.ts';

const ALICE = idOf('alice');

/** Longer than a request takes, in milliseconds. */
const LATER_MS = 120_000;

/** An upper bound of the writes of a change. */
const MAX_WRITES = 12;

async function prepared() {
  const store = await openSqliteStore({ path: ':memory:' });
  const collections = await writableCollections(store);
  await seedAccount(collections, 'alice', { logins: { token: 'A' } });
  await collections.devices.updateOne(
    { _id: deviceKey(ALICE, 'A') },
    { $set: { key_ring: 'ring', device_keys: '{}' } },
  );
  return { store, ...collections };
}

const rename = (service: TestService, displayName: string) =>
  service.client(OwnDeviceService, { token: 'token' }).updateOwnDevice({ deviceId: 'A', displayName });
const changesSince = async (service: TestService, since: bigint, userId = idOf('bob')) => {
  const { changes } = await service.client(AccountFeedService).listKeyChanges({ userId, since });
  return changes ?? expect.unreachable();
};

it('a change that was written is announced, wherever the process crashes', async () => {
  let reached = true;
  for (let crashAtWrite = 1; reached; crashAtWrite++) {
    expect(crashAtWrite).toBeLessThan(MAX_WRITES);
    const { store, devices, keyChangeIntents } = await prepared();
    let writes = 0;
    let armed = false;
    const failing = watchedStore(store, ({ write }) => {
      if (armed && write) writes++;
      if (armed && writes >= crashAtWrite) throw new Unavailable('This process has crashed');
    });
    const crashing = await startTestService({ store: failing, busStore: store });
    armed = true;
    reached = (await refusalOf(rename(crashing, 'New'))) !== undefined;
    armed = false;
    await crashing.close();

    const clock = createFakeClock();
    clock.advance(LATER_MS);
    const fresh = await startTestService({ store, clock });
    await fresh.service.whenIdle();
    const renamed = (await devices.findOne({ _id: deviceKey(ALICE, 'A') }))?.display_name === 'New';
    const { userIds } = await changesSince(fresh, 0n);
    if (renamed) expect(userIds).toEqual([ALICE]);
    expect(await keyChangeIntents.countDocuments({})).toBe(0);
    await fresh.close();
    await store.close();
  }
});

it('a change is announced once, and a page ends where the next one begins', async () => {
  const { store, keyChanges } = await prepared();
  const woken: string[] = [];
  const service = await startTestService({
    store,
    rooms: {
      ...noRooms,
      wakeWatchersOf: async (userId) => {
        woken.push(userId);
        throw new Unavailable('The room service is down');
      },
    },
  });
  await rename(service, 'One');
  await rename(service, 'One');
  expect(woken).toEqual([ALICE]);
  expect(await changesSince(service, 0n)).toMatchObject({ userIds: [ALICE], position: 1n, more: false });
  expect(await changesSince(service, 1n)).toMatchObject({ userIds: [], position: 1n, more: false });

  const others = Array.from({ length: 4_500 }, (_, n) => ({
    _id: idOf(`user${n}`),
    user_id: idOf(`user${n}`),
    viewer: n < 4_200 ? '' : idOf('bob'),
    position: n - 4_500,
  }));
  await keyChanges.insertMany(others);
  await keyChanges.insertOne({ _id: 'private', user_id: idOf('eve'), viewer: idOf('carol'), position: 0 });
  const seen: string[] = [];
  let page = await changesSince(service, -4_501n);
  for (; page.more; page = await changesSince(service, page.position)) seen.push(...page.userIds);
  expect([...seen, ...page.userIds].toSorted()).toEqual(
    [ALICE, ...others.map(({ user_id }) => user_id)].toSorted(),
  );
  await service.close();
  await store.close();
});
