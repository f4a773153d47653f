import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seedAccount, writableCollections } from '../../fixtures/state.ts';
import { startTestService } from '../../fixtures/test-service.ts';

describe.each(stores)('$title', ({ missing, open }) => {
  it.skipIf(missing)(
    'counts devices of the current epochs, with a revision that rises if one is added or removed',
    async () => {
      const { store, drop } = await open();
      const collections = await writableCollections(store);
      const test = await startTestService({ store, clock: createFakeClock() });
      onTestFinished(async () => {
        await test.close();
        await drop();
      });
      const logins = (name: string) => ({ [`${name} 1`]: 'ONE', [`${name} 2`]: 'TWO' });
      const ann = await seedAccount(collections, 'ann', { logins: logins('ann') });
      const ended = { sessions: { epoch: 1, except: null } };
      const ben = await seedAccount(collections, 'ben', { ...ended, logins: logins('ben') });
      const cat = await seedAccount(collections, 'cat', { logins: logins('cat') });
      const spared = await collections.tokens.findOne({ user_id: cat, device_id: 'ONE' });
      await collections.accounts.updateOne(
        { _id: cat },
        { $set: { sessions: { epoch: 1, except: spared?._id ?? '' } } },
      );
      const client = test.client(DeviceService);
      const count = async (...userIds: string[]) => client.countDevices({ userIds });
      expect((await count(ann)).devices).toBe(2n);
      expect((await count(ben)).devices).toBe(0n);
      expect((await count(cat)).devices).toBe(1n);
      expect((await count(ann, ben, cat, '@unknown:test')).devices).toBe(3n);

      const known = store.capabilities.soleWriter || undefined;
      /** Whether the revision rises; `undefined` where it is not known. */
      const rises = async (change: () => Promise<unknown>) => {
        const before = (await count()).revision;
        await change();
        const after = (await count()).revision;
        return before !== undefined && after !== undefined ? after > before : undefined;
      };
      expect(await rises(() => client.createDevice({ userId: ann, deviceId: 'NEW' }))).toBe(known);
      expect(await rises(() => client.updateDevice({ userId: ann, deviceId: 'NEW', displayName: 'x' }))).toBe(
        known && false,
      );
      expect(await rises(() => client.deleteDevice({ userId: ann, deviceId: 'NEW' }))).toBe(known);
      expect(await rises(() => test.client(SessionService, { token: 'ann 1' }).logoutAll({}))).toBe(known);
      expect((await count(ann)).devices).toBe(0n);
    },
  );
});
