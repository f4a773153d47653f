import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { OwnDeviceService } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { type CrashPoint, crashableStore, type OwnStore, stores } from '@steward/store/testing';
import { createFakeClock, dueCalls } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenDigest } from '../../core/model/token.ts';
import { seedAccount, type WritableCollections, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, startTestService, type TestService } from '../../fixtures/test-service.ts';
import { type StoreCall, watchedStore } from '../../fixtures/watched-store.ts';

/** Longer than a request can take to publish the one-time keys that it stored, in milliseconds. */
const LATER_MS = 2 * 60 * 60 * 1000;
/** More calls of the store than a request makes. */
const MAX_CALLS = 100;
const POINTS: readonly CrashPoint[] = ['before', 'during', 'after'];
/** What stores a dehydrated device. */
const GUARDS = ['services/user/src/core/devices/', 'services/user/src/verbs/devices/'];

const requestFor = (userId: string, deviceId: string, keys: readonly string[]) => ({
  deviceId,
  deviceData: JSON.stringify({ algorithm: 'x', keys }),
  deviceKeys: JSON.stringify({
    user_id: userId,
    device_id: deviceId,
    algorithms: [],
    keys: { [`ed25519:${deviceId}`]: keys.join() },
    signatures: {},
  }),
  oneTimeKeys: Object.fromEntries(keys.map((key) => [`a:${key}`, JSON.stringify(key)])),
  fallbackKeys: { [`a:fallback-${keys.join()}`]: '"fallback"' },
});
type Request = ReturnType<typeof requestFor>;

describe.each(stores)('a dehydrated device $title', ({ missing, remote, open }) => {
  const clock = createFakeClock();
  let own: OwnStore;
  let collections: WritableCollections;
  let survivor: TestService;
  let names = 0;

  beforeAll(async () => {
    if (missing) return;
    own = await open();
    collections = await writableCollections(own.store);
    survivor = await startTestService({ store: own.store, clock });
  });
  afterAll(async () => {
    if (missing) return;
    await survivor.close();
    await own.drop();
  });

  const freshUser = () => {
    const name = `user-${++names}`;
    return seedAccount(collections, name, { logins: { [`${name} token`]: 'OWN' } });
  };
  const tokenOf = (userId: string) => `${userId.slice(1, userId.indexOf(':'))} token`;
  const clientOf = (service: TestService, userId: string) =>
    service.client(OwnDeviceService, {
      userId,
      owner: userId,
      tokenId: tokenDigest(tokenOf(userId)),
      admin: false,
    });

  /** What is stored of the dehydrated device of a user, as the request that stored it. */
  const storedOf = async (userId: string): Promise<Request | undefined> => {
    const listed = await survivor.client(DeviceService).listDevices({ userId });
    const ids = listed.devices.filter(({ dehydrated }) => dehydrated).map(({ deviceId }) => deviceId);
    const found = await clientOf(survivor, userId)
      .getDehydratedDevice({})
      .catch(() => undefined);
    expect(ids).toEqual(found ? [found.deviceId] : []);
    if (!found) return undefined;
    const device = await collections.devices.findOne({ user_id: userId, device_id: found.deviceId });
    const keys = await collections.oneTimeKeys.find({ key_ring: device?.key_ring ?? '' }).toArray();
    return {
      deviceId: found.deviceId,
      deviceData: found.deviceData,
      deviceKeys: JSON.stringify(JSON.parse(device?.device_keys ?? '')),
      oneTimeKeys: Object.fromEntries(keys.map(({ name, key }) => [name, key])),
      fallbackKeys: Object.fromEntries(device?.fallback_keys?.map(({ name, key }) => [name, key]) ?? []),
    };
  };
  const sorted = (request: Request | undefined) =>
    request && { ...request, deviceKeys: JSON.parse(request.deviceKeys) };

  const cases = [
    { title: 'the first one', previous: undefined },
    { title: 'one with another id', previous: 'OLD' },
    { title: 'one with the same id', previous: 'NEW' },
  ].flatMap((each) => POINTS.map((point) => ({ ...each, point })));

  it.skipIf(missing).each(cases)(
    'is the previous one or the new one ($title) if its process crashes $point any call of the store',
    { timeout: 240_000 },
    async ({ title, previous, point }) => {
      let crashes = 0;
      let isReached = true;
      // Over the network, every third call.
      for (const call of dueCalls(MAX_CALLS, `crash ${point} ${title}`, GUARDS, { spread: remote ? 3 : 1 })) {
        const userId = await freshUser();
        const before = previous === undefined ? undefined : requestFor(userId, previous, ['1', '2']);
        if (before) await clientOf(survivor, userId).putDehydratedDevice(before);
        const after = requestFor(userId, 'NEW', ['3', '4', '5']);

        const crashable = crashableStore(own.store);
        const crashing = await startTestService({ store: crashable.store, busStore: own.store, clock });
        crashable.crashAt(call, point);
        const answered = await clientOf(crashing, userId)
          .putDehydratedDevice(after)
          .then(
            () => true,
            () => false,
          );
        const { hasCrashed } = crashable;
        crashable.cancelCrash();
        await crashing.close().catch(() => {});

        await survivor.service.whenIdle();
        const stored = sorted(await storedOf(userId));
        if (answered) expect(stored).toEqual(sorted(after));
        else expect([sorted(before), sorted(after)]).toContainEqual(stored);

        // The next request removes what the crash left.
        clock.advance(LATER_MS);
        await clientOf(survivor, userId).putDehydratedDevice(requestFor(userId, 'LAST', ['6']));
        const keys = await collections.oneTimeKeys.find({ user_id: userId }).toArray();
        expect(keys.map(({ name }) => name)).toEqual(['a:6']);
        const devices = await collections.devices.find({ user_id: userId }).toArray();
        expect(devices.map(({ device_id: id }) => id).sort()).toEqual(['LAST', 'OWN']);
        isReached = hasCrashed;
        if (!isReached) break;
        crashes++;
      }
      expect(crashes).toBeGreaterThan(0);
      expect(isReached).toBe(false);
    },
  );

  it.skipIf(missing)(
    'a dehydrated device is the newer one if another process publishes an older one late',
    async () => {
      const userId = await freshUser();
      const reached = Promise.withResolvers<void>();
      const resumed = Promise.withResolvers<void>();
      const watched = watchedStore(own.store, async ({ collection, operation }) => {
        if (collection !== 'user.devices' || operation !== 'insertOne') return;
        reached.resolve();
        await resumed.promise;
      });
      const slow = await startTestService({ store: watched, busStore: own.store, clock });
      const older = clientOf(slow, userId).putDehydratedDevice(requestFor(userId, 'OLDER', ['1']));
      await reached.promise;
      const newer = requestFor(userId, 'NEWER', ['2']);
      await clientOf(survivor, userId).putDehydratedDevice(newer);
      resumed.resolve();
      expect(await older).toMatchObject({ deviceId: 'OLDER' });
      await slow.close();
      expect(sorted(await storedOf(userId))).toEqual(sorted(newer));
      const keys = await collections.oneTimeKeys.find({ user_id: userId }).toArray();
      expect(keys.map(({ name }) => name)).toEqual(['a:2']);
    },
  );

  it.skipIf(missing)(
    'is the newer one if another process publishes an older one with its id late',
    async () => {
      const userId = await freshUser();
      const reached = Promise.withResolvers<void>();
      const resumed = Promise.withResolvers<void>();
      const inserted = Promise.withResolvers<void>();
      const finished = Promise.withResolvers<void>();
      let isLate = false;
      const slowStore = watchedStore(own.store, async ({ collection, operation }) => {
        if (collection === 'user.devices' && operation === 'insertOne') {
          reached.resolve();
          await resumed.promise;
          isLate = true;
        } else if (isLate) {
          inserted.resolve();
          await finished.promise;
        }
      });
      const fastStore = watchedStore(own.store, async ({ collection, operation, args }) => {
        if (collection !== 'user.devices' || operation !== 'insertOne') return;
        if ((args[0] as { dehydrated: number }).dehydrated < 2) return;
        resumed.resolve();
        await inserted.promise;
      });
      const slow = await startTestService({ store: slowStore, busStore: own.store, clock });
      const fast = await startTestService({ store: fastStore, busStore: own.store, clock });
      const older = clientOf(slow, userId).putDehydratedDevice(requestFor(userId, 'SAME', ['1']));
      await reached.promise;
      const newer = requestFor(userId, 'SAME', ['2']);
      await clientOf(fast, userId).putDehydratedDevice(newer);
      finished.resolve();
      await older;
      await slow.close();
      await fast.close();
      expect(sorted(await storedOf(userId))).toEqual(sorted(newer));
      const keys = await collections.oneTimeKeys.find({ user_id: userId }).toArray();
      expect(keys.map(({ name }) => name)).toEqual(['a:2']);
    },
  );

  /** Calls a method of a service, and another process at its first call of the store that matches. */
  const during = async <R>(
    matches: (call: StoreCall) => boolean,
    concurrent: () => Promise<unknown>,
    call: (service: TestService) => Promise<R>,
  ) => {
    let isFirst = true;
    const watched = watchedStore(own.store, async (storeCall) => {
      if (!isFirst || !matches(storeCall)) return;
      isFirst = false;
      await concurrent();
    });
    const service = await startTestService({ store: watched, busStore: own.store, clock });
    try {
      return await call(service);
    } finally {
      expect(isFirst).toBe(false);
      await service.close();
    }
  };

  it.skipIf(missing)('a dehydrated device is found while another one replaces it', async () => {
    const userId = await freshUser();
    await clientOf(survivor, userId).putDehydratedDevice(requestFor(userId, 'OLD', ['1']));
    const found = await during(
      ({ collection }) => collection === 'user.devices',
      () => clientOf(survivor, userId).putDehydratedDevice(requestFor(userId, 'NEW', ['2'])),
      (service) => clientOf(service, userId).getDehydratedDevice({}),
    );
    expect(found.deviceId).toBe('NEW');
  });

  it.skipIf(missing)('leaves no data if it is stored while its id is removed', async () => {
    const userId = await freshUser();
    await during(
      ({ collection, operation }) => collection === 'user.devices' && operation === 'deleteMany',
      () => clientOf(survivor, userId).putDehydratedDevice(requestFor(userId, 'NEW', ['1'])),
      (service) => service.client(DeviceService).deleteDevice({ userId, deviceId: 'NEW' }),
    );
    expect(await storedOf(userId)).toBeUndefined();
    expect(await collections.dehydratedDevices.findOne({ _id: userId })).toMatchObject({ device: null });
    expect(await collections.oneTimeKeys.find({ user_id: userId }).toArray()).toEqual([]);
  });

  it.skipIf(missing)('has its one-time keys if its id was removed before its commit', async () => {
    const userId = await freshUser();
    await clientOf(survivor, userId).putDehydratedDevice(requestFor(userId, 'NEW', ['1']));
    const newer = requestFor(userId, 'NEW', ['2']);
    await during(
      ({ collection, write }) => collection === 'user.dehydrated_devices' && write,
      () => survivor.client(DeviceService).deleteDevice({ userId, deviceId: 'NEW' }),
      (service) => clientOf(service, userId).putDehydratedDevice(newer),
    );
    expect(sorted(await storedOf(userId))).toEqual(sorted(newer));
    const keys = await collections.oneTimeKeys.find({ user_id: userId }).toArray();
    expect(keys.map(({ name }) => name)).toEqual(['a:2']);
  });

  it.skipIf(missing)(
    'a dehydrated device is refused, and leaves nothing, if another device takes its id',
    async () => {
      const userId = await freshUser();
      const refusal = await during(
        ({ collection, operation }) => collection === 'user.devices' && operation === 'insertOne',
        () => survivor.client(DeviceService).createDevice({ userId, deviceId: 'NEW' }),
        (service) =>
          refusalOf(clientOf(service, userId).putDehydratedDevice(requestFor(userId, 'NEW', ['1']))),
      );
      expect(refusal).toBe('M_INVALID_PARAM');
      expect(await storedOf(userId)).toBeUndefined();
      expect(await collections.dehydratedDevices.findOne({ _id: userId })).toMatchObject({ device: null });
      expect(await collections.oneTimeKeys.find({ user_id: userId }).toArray()).toEqual([]);
      const devices = await collections.devices.find({ user_id: userId }).toArray();
      expect(devices.map(({ device_id: id }) => id).sort()).toEqual(['NEW', 'OWN']);
    },
  );

  describe('while the sessions end', () => {
    /** Stores a device, and calls another process at the commit of it. */
    const putDuring = (userId: string, concurrent: () => Promise<unknown>) =>
      during(
        ({ collection, write }) => collection === 'user.dehydrated_devices' && write,
        concurrent,
        (service) =>
          refusalOf(clientOf(service, userId).putDehydratedDevice(requestFor(userId, 'NEW', ['1']))),
      );

    it.skipIf(missing)('a dehydrated device is refused, and leaves nothing', async () => {
      const userId = await freshUser();
      const token = tokenOf(userId);
      expect(await putDuring(userId, () => survivor.client(SessionService, { token }).logoutAll({}))).toBe(
        'M_UNKNOWN_TOKEN',
      );
      expect(await collections.dehydratedDevices.findOne({ _id: userId })).toMatchObject({ device: null });
      expect(await collections.devices.find({ user_id: userId }).toArray()).toEqual([]);
      expect(await collections.oneTimeKeys.find({ user_id: userId }).toArray()).toEqual([]);
    });

    it.skipIf(missing)('a dehydrated device is stored for the session that is spared', async () => {
      const userId = await freshUser();
      const spared = tokenDigest(tokenOf(userId));
      const endOthers = () =>
        collections.accounts.updateOne(
          { _id: userId },
          { $set: { sessions: { epoch: 1, except: spared } }, $inc: { version: 1 } },
        );
      expect(await putDuring(userId, endOthers)).toBeUndefined();
      expect(sorted(await storedOf(userId))).toEqual(sorted(requestFor(userId, 'NEW', ['1'])));
    });
  });
});
