import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { oneProcessChapter, pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const WHOAMI = '/_proto/client/v3/account/whoami';
const DEACTIVATE = '/_proto/client/v3/account/deactivate';

/** How often two administrators shut each other out at the same time. */
const ROUNDS = 8;

const USERS = '/_service/admin/v2/users';

const at = (userId: string) => path`/_service/admin/v2/users/${userId}`;
const flagOf = (userId: string) => path`/_service/admin/v1/users/${userId}/admin`;

const last = refusal(400, 'M_UNKNOWN');
const ended = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });

/** The requests that shut an administrator out. */
const SHUT_OUT: Readonly<Record<string, (by: Actor, userId: string) => ReturnType<Actor['get']>>> = {
  demotes: (by, userId) => by.put(flagOf(userId), { body: { admin: false } }),
  'demotes by PUT': (by, userId) => by.put(at(userId), { body: { admin: false } }),
  locks: (by, userId) => by.put(at(userId), { body: { locked: true } }),
  suspends: (by, userId) => by.put(path`/_service/admin/v1/suspend/${userId}`, { body: { suspend: true } }),
  'deactivates by PUT': (by, userId) => by.put(at(userId), { body: { deactivated: true } }),
  deactivates: (by, userId) => by.post(path`/_service/admin/v1/deactivate/${userId}`, { body: {} }),
  erases: (by, userId) => by.post(path`/_service/admin/v1/deactivate/${userId}`, { body: { erase: true } }),
};

const restore = (by: Actor, userId: string, password: string) =>
  by.put(at(userId), { body: { admin: true, locked: false, deactivated: false, password } });

pairedChapter('The last active administrator', (world) => {
  beforeAll(async () => {
    // Those of other chapters.
    const query = { admins: 'true', locked: 'true', limit: '1000' };
    const { body } = await world.admin.get<{ users: { name: string }[] }>(USERS, { query });
    const others = body.users.filter(({ name }) => name !== world.admin.userId);
    for (const { name } of others) {
      expect(await world.admin.put(flagOf(name), { body: { admin: false } })).toMatchObject({ status: 200 });
    }
  });

  const stateOf = async (userId: string) => {
    // Each request is a use of the account.
    const { last_seen_ts: _, ...state } = (await world.admin.get(at(userId))).body;
    return state;
  };

  describe('cannot be shut out by a request', () => {
    it.each(Object.entries(SHUT_OUT))('that %s', async (_, shutOut) => {
      const before = await stateOf(world.admin.userId);
      expect(await shutOut(world.admin, world.admin.userId)).toMatchObject(last);
      expect(await stateOf(world.admin.userId)).toEqual(before);
    });

    it('of the client API', async () => {
      const before = await stateOf(world.admin.userId);
      const { session } = (await world.admin.post<{ session: string }>(DEACTIVATE, { body: {} })).body;
      const auth = {
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user: world.admin.userId },
        password: world.admin.password,
        session,
      };
      expect(await world.admin.post(DEACTIVATE, { body: { auth, erase: true } })).toMatchObject(last);
      expect(await stateOf(world.admin.userId)).toEqual(before);
    });

    it('with a token to act as the administrator, or beside administrators who are shut out', async () => {
      const other = await world.user('other', { admin: true });
      const acting = await world.admin.post<{ access_token: string }>(
        path`/_service/admin/v1/users/${other.userId}/login`,
      );
      for (const shutOut of [SHUT_OUT.locks, SHUT_OUT.suspends, SHUT_OUT.deactivates]) {
        expect(await shutOut?.(world.admin, other.userId)).toMatchObject({ status: 200 });
        expect(await SHUT_OUT.locks?.(world.admin, world.admin.userId)).toMatchObject(last);
        const by = world.actor({ ...other, token: acting.body.access_token });
        expect((await by.put(flagOf(world.admin.userId), { body: { admin: false } })).status).not.toBe(200);
        await restore(world.admin, other.userId, 'password');
        await world.admin.put(path`/_service/admin/v1/suspend/${other.userId}`, { body: { suspend: false } });
      }
      expect(await SHUT_OUT.demotes?.(world.admin, other.userId)).toMatchObject({ status: 200 });
    });
  });

  it.each(['demotes', 'locks'])('remains when each of two %s the other', async (how) => {
    const shutOut = SHUT_OUT[how];
    const other = await world.user('other', { admin: true });
    for (let round = 0; round < ROUNDS; round++) {
      const replies = await Promise.all([
        shutOut?.(world.admin, other.userId),
        shutOut?.(other, world.admin.userId),
      ]);
      const statuses = replies.map((reply) => reply?.status);
      expect(
        statuses.filter((status) => status === 200),
        String(statuses),
      ).toHaveLength(1);
      const [by, shut] = statuses[0] === 200 ? [world.admin, other] : [other, world.admin];
      expect(await by.get(at(shut.userId))).toMatchObject({ status: 200 });
      const body = { admin: true, locked: false };
      expect(await by.put(at(shut.userId), { body })).toMatchObject({ status: 200 });
    }
    expect(await SHUT_OUT.demotes?.(world.admin, other.userId)).toMatchObject({ status: 200 });
  });

  describe.each(Object.entries(SHUT_OUT))('a request that %s an administrator', (_, shutOut) => {
    it('ends for good the tokens to act as a user', async () => {
      const owner = await world.user('owner', { admin: true });
      const user = await world.user();
      const { body } = await owner.post<{ access_token: string }>(
        path`/_service/admin/v1/users/${user.userId}/login`,
      );
      const acting = world.actor({ ...user, token: body.access_token });
      expect(await acting.get(WHOAMI)).toMatchObject({ status: 200 });
      expect(await shutOut(world.admin, owner.userId)).toMatchObject({ status: 200 });
      expect(await acting.get(WHOAMI)).toMatchObject(ended);
      await restore(world.admin, owner.userId, owner.password);
      await world.admin.put(path`/_service/admin/v1/suspend/${owner.userId}`, { body: { suspend: false } });
      expect(await acting.get(WHOAMI)).toMatchObject(ended);
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
    });
  });
});

oneProcessChapter(
  'Tokens to act as a user with a limited lifetime',
  (world) => {
    let user: Actor;
    beforeAll(async () => {
      user = await world.user();
    });

    it.each([{}, { valid_until_ms: null }, { valid_until_ms: Number.MAX_SAFE_INTEGER }])(
      'expire, also when %j was requested',
      async (body) => {
        const reply = await world.admin.post<{ access_token: string }>(
          path`/_service/admin/v1/users/${user.userId}/login`,
          { body },
        );
        const acting = world.actor({ ...user, token: reply.body.access_token });
        expect(await acting.get(WHOAMI)).toMatchObject({ status: 200 });
        world.moveClock?.(60_001);
        expect(await acting.get(WHOAMI)).toMatchObject(
          refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: true }),
        );
        expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
      },
    );
  },
  { config: { login_as: { max_lifetime_ms: 60_000 } } },
);
