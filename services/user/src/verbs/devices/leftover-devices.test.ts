import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceKey } from '../../core/model/device.ts';
import { seedAccount, type WritableCollections, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, startTestService, type TestService } from '../../fixtures/test-service.ts';

/** After this time the clean-up of ended sessions has been repeated. */
const REPEAT_AFTER_MS = 60_000;

const clock = createFakeClock();
let store: Store;
let collections: WritableCollections;
let test: TestService;
let names = 0;

beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  collections = await writableCollections(store);
  test = await startTestService({ store, clock });
});
afterAll(async () => {
  await test.close();
  await store.close();
});

const freshName = () => `user-${++names}`;

/** Inserts the device that a login leaves when it crashes after the account's sessions were ended. */
async function insertLeftover(userId: string, deviceId: string): Promise<void> {
  await collections.devices.insertOne({
    _id: deviceKey(userId, deviceId),
    user_id: userId,
    device_id: deviceId,
    display_name: 'left over',
    last_seen_ip: null,
    last_seen_user_agent: null,
    last_seen_ts: null,
    epoch: 0,
    logins: 1,
  });
}

const storedDevices = async (userId: string) => {
  const devices = await collections.devices.find({ user_id: userId }).toArray();
  return devices.map(({ device_id }) => device_id);
};

describe('a device left over from ended sessions', () => {
  it('a device left over from ended sessions is not returned, and a new device can have its id', async () => {
    const userId = await seedAccount(collections, freshName(), { sessions: { epoch: 1, except: null } });
    await insertLeftover(userId, 'LEFT');
    const client = test.client(DeviceService);
    const listed = async () => (await client.listDevices({ userId })).devices;
    expect(await listed()).toEqual([]);
    const { devices } = await client.countDevices({ userIds: [userId, '@nobody:test'] });
    expect(devices).toBe(0n);
    const device = { userId, deviceId: 'LEFT' };
    expect(await refusalOf(client.getDevice(device))).toBe('M_NOT_FOUND');
    expect(await refusalOf(client.updateDevice({ ...device, displayName: 'x' }))).toBe('M_NOT_FOUND');
    await client.createDevice(device);
    const [created, ...others] = await listed();
    expect(created?.deviceId).toBe('LEFT');
    expect(created?.displayName).toBeUndefined();
    expect(others).toEqual([]);
  });

  it('a device left over from ended sessions is distinguished from the device of the spared session', async () => {
    const name = freshName();
    const userId = await seedAccount(collections, name, { logins: { [`${name} token`]: 'OWN' } });
    const token = await collections.tokens.findOne({ user_id: userId });
    await collections.accounts.updateOne(
      { _id: userId },
      { $set: { sessions: { epoch: 1, except: token?._id ?? null } } },
    );
    await insertLeftover(userId, 'LEFT');
    const client = test.client(DeviceService);
    const { devices, total } = await client.listDevices({ userId });
    expect({ ids: devices.map(({ deviceId }) => deviceId), total }).toEqual({ ids: ['OWN'], total: 1n });
    await client.createDevice({ userId, deviceId: 'OWN' });
    expect((await client.getDevice({ userId, deviceId: 'OWN' })).device?.displayName).toBe('OWN');
  });

  it('a device left over from ended sessions is removed when the clean-up is repeated', async () => {
    const name = freshName();
    const userId = await seedAccount(collections, name, { logins: { [`${name} token`]: 'OWN' } });
    await test.client(SessionService, { token: `${name} token` }).logoutAll({});
    await insertLeftover(userId, 'LEFT');
    await test.service.whenIdle();
    expect(await storedDevices(userId)).toEqual(['LEFT']);
    clock.advance(REPEAT_AFTER_MS);
    await test.service.whenIdle();
    expect(await storedDevices(userId)).toEqual([]);
    expect(await collections.endedSessions.countDocuments({})).toBe(0);
  });
});
