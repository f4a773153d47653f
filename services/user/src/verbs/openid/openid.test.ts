import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { OpenIdService } from '@steward/proto/steward/user/v1/openid_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seedAccount, writableCollections } from '../../fixtures/state.ts';
import { startTestService } from '../../fixtures/test-service.ts';

describe.each(stores)('OpenID tokens $title', ({ missing, open }) => {
  it.skipIf(missing)(
    'end after an hour, with the sessions of the user, and when there are too many',
    async () => {
      const { store, drop } = await open();
      const collections = await writableCollections(store);
      const clock = createFakeClock();
      const test = await startTestService({ store, clock });
      onTestFinished(async () => {
        await test.close();
        await drop();
      });
      const client = test.client(OpenIdService, 'anonymous');
      const user = async (name: string) => {
        const userId = await seedAccount(collections, name, { logins: { [name]: 'DEVICE' } });
        return {
          userId,
          make: async () =>
            (await test.client(OpenIdService, { token: name }).createOpenIdToken({ userId })).accessToken,
        };
      };
      const isKnown = (accessToken: string) =>
        client.getOpenIdUser({ accessToken }).then(
          ({ sub }) => sub,
          () => undefined,
        );

      const ann = await user('ann');
      const token = await ann.make();
      expect(JSON.stringify(await (await collections.openIdTokens.find({})).toArray())).not.toContain(token);
      clock.advance(3_599_999);
      expect(await isKnown(token)).toBe(ann.userId);
      clock.advance(1);
      expect(await isKnown(token)).toBeUndefined();

      const first = await ann.make();
      for (let made = 1; made < 100; made++) {
        clock.advance(1);
        await ann.make();
      }
      expect(await isKnown(first)).toBe(ann.userId);
      clock.advance(1);
      await ann.make();
      expect(await isKnown(first)).toBeUndefined();

      const last = await ann.make();
      await collections.accounts.updateOne({ _id: ann.userId }, { $set: { locked: true } });
      expect(await isKnown(last)).toBeUndefined();
      await collections.accounts.updateOne({ _id: ann.userId }, { $set: { locked: false } });
      expect(await isKnown(last)).toBe(ann.userId);
      await test.client(SessionService, { token: 'ann' }).logoutAll({});
      expect(await isKnown(last)).toBeUndefined();

      const ben = await user('ben');
      const bens = await ben.make();
      await test.client(AccountService).deactivate({ userId: ben.userId, erase: false });
      expect(await isKnown(bens)).toBeUndefined();
    },
  );
});
