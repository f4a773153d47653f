import { type Actor, path, type World } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter, oneProcessChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const REGISTER = '/_proto/client/v3/register';
const LOGIN = '/_proto/client/v3/login';
const WHOAMI = '/_proto/client/v3/account/whoami';
const V2 = '/_service/admin/v2/users';
const V3 = '/_service/admin/v3/users';

const PASSWORD = 'secret';
const DUMMY = { type: 'm.login.dummy' };

const CONFIG = {
  registration: { enabled: true, guests: true, require_approval: true },
  sessions: { refresh_tokens: true },
};

const waiting = refusal(403, 'ORG.MATRIX.MSC3866_USER_AWAITING_APPROVAL', {
  approval_notice_medium: 'org.matrix.msc3866.none',
});

const at = (userId: string) => path`/_service/admin/v2/users/${userId}`;

interface Registered {
  session: string;
  access_token: string;
}

interface Page {
  users: { name: string; approved?: unknown }[];
  total: number;
  next_token?: string;
}

// On the other set-up `services/user/src/verbs/accounts/list-users.test.ts` compares the lists.
oneProcessChapter(
  '14.1 Account approval',
  (world) => {
    const register = (body: unknown, query = '') =>
      world.http<Registered>('POST', REGISTER + query, { body });
    const login = (user: string, password = PASSWORD) =>
      world.http<{ access_token: string; refresh_token: string }>('POST', LOGIN, {
        body: {
          type: 'm.login.password',
          identifier: { type: 'm.id.user', user },
          password,
          refresh_token: true,
        },
      });
    const put = (userId: string, body: unknown) => world.admin.put(at(userId), { body });
    const readUser = async (userId: string) => (await world.admin.get(at(userId))).body;
    /** Registers an account and returns its id. */
    const registered = async (name?: string) => {
      const username = world.freshName(name);
      expect(await register({ username, password: PASSWORD, auth: DUMMY })).toMatchObject(waiting);
      return world.userId(username);
    };

    describe('a registration', () => {
      it('creates an account that waits, and gives no token', async () => {
        const username = world.freshName();
        const reply = await register({ username, password: PASSWORD, auth: DUMMY });
        expect(reply).toMatchObject(waiting);
        expect(Object.keys(reply.body).toSorted()).toEqual(['approval_notice_medium', 'errcode', 'error']);
        const user = world.userId(username);
        expect(await readUser(user)).toMatchObject({ name: user, displayname: username, approved: false });
        const devices = await world.admin.get(path`/_service/admin/v2/users/${user}/devices`);
        expect(devices.body).toEqual({ devices: [], total: 0 });
      });

      it('a registration is refused the same with inhibit_login', async () => {
        const body = { username: world.freshName(), password: PASSWORD, inhibit_login: true, auth: DUMMY };
        expect(await register(body)).toMatchObject(waiting);
      });

      it('a registration that the client repeats is refused the same, and registers nothing else', async () => {
        const username = world.freshName();
        const { session } = (await register({ username, password: PASSWORD })).body;
        const finish = () => register({ auth: { ...DUMMY, session } });
        for (const reply of await Promise.all([finish(), finish()])) expect(reply).toMatchObject(waiting);
        expect(await finish()).toMatchObject(waiting);
        const list = await world.admin.get<Page>(V2, { query: { name: username } });
        expect(list.body.total).toBe(1);
      });

      it('a registration that the client repeats after the approval logs in', async () => {
        const username = world.freshName();
        const { session } = (await register({ username, password: PASSWORD })).body;
        const finish = () => register({ auth: { ...DUMMY, session } });
        expect(await finish()).toMatchObject(waiting);
        await put(world.userId(username), { approved: true });
        expect(await finish()).toMatchObject({ status: 200, body: { user_id: world.userId(username) } });
      });

      it('takes the user name', async () => {
        const user = await registered();
        const username = user.slice(1, user.indexOf(':'));
        expect(await register({ username, password: 'other', auth: DUMMY })).toMatchObject(
          refusal(400, 'M_USER_IN_USE'),
        );
      });

      it('of a guest needs no approval', async () => {
        const { status, body } = await register({}, '?kind=guest');
        expect(status).toBe(200);
        expect(await world.http('GET', WHOAMI, { token: body.access_token })).toMatchObject({ status: 200 });
      });
    });

    describe('an account that an administrator creates', () => {
      it('with the shared secret is approved', async () => {
        const user = await world.user();
        expect(await readUser(user.userId)).toMatchObject({ approved: true });
        expect(await login(user.userId, user.password)).toMatchObject({ status: 200 });
      });

      it.each([
        ['without the key', {}],
        ['with true', { approved: true }],
      ])('with PUT is approved %s', async (_, fields) => {
        const user = world.userId(world.freshName());
        const created = { status: 201, body: { approved: true } };
        expect(await put(user, { password: PASSWORD, ...fields })).toMatchObject(created);
        expect(await login(user)).toMatchObject({ status: 200 });
      });

      it('with PUT waits if the administrator says so', async () => {
        const user = world.userId(world.freshName());
        expect(await put(user, { password: PASSWORD, approved: false })).toMatchObject({
          status: 201,
          body: { approved: false },
        });
        expect(await login(user)).toMatchObject(waiting);
      });
    });

    describe('a login', () => {
      it('a login is refused until the approval, and works at once afterwards', async () => {
        const user = await registered();
        expect(await login(user)).toMatchObject(waiting);
        expect(await put(user, { approved: true })).toMatchObject({ status: 200, body: { approved: true } });
        expect(await login(user)).toMatchObject({ status: 200 });
      });

      it('with a wrong password does not reveal that the account waits', async () => {
        const user = await registered();
        const wrong = await login(user, 'wrong');
        expect(wrong).toMatchObject(refusal(403, 'M_FORBIDDEN'));
        expect(wrong.body).toEqual((await login(world.userId('nobody'), 'wrong')).body);
      });

      it('a login is refused for a deactivation and a lock first', async () => {
        const user = await registered();
        await put(user, { locked: true });
        expect(await login(user)).toMatchObject(refusal(401, 'M_USER_LOCKED'));
        await put(user, { locked: false, deactivated: true });
        expect(await login(user)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
        await put(user, { deactivated: false, password: PASSWORD });
        expect(await login(user)).toMatchObject(waiting);
      });

      it('of an administrator as the user works', async () => {
        const user = await registered();
        const { body } = await world.admin.post<{ access_token: string }>(
          path`/_service/admin/v1/users/${user}/login`,
        );
        const whoAmI = await world.http('GET', WHOAMI, { token: body.access_token });
        expect(whoAmI).toMatchObject({ status: 200, body: { user_id: user } });
      });
    });

    it('a withdrawn approval ends no session and refuses new ones', async () => {
      const user = await world.account('withdrawn', { password: PASSWORD });
      const session = (await login(user)).body;
      expect(await put(user, { approved: false })).toMatchObject({ status: 200, body: { approved: false } });
      expect(await world.http('GET', WHOAMI, { token: session.access_token })).toMatchObject({ status: 200 });
      const body = { refresh_token: session.refresh_token };
      const renewed = await world.http<Registered>('POST', '/_proto/client/v3/refresh', { body });
      expect(renewed.status).toBe(200);
      const token = renewed.body.access_token;
      expect(await world.http('GET', WHOAMI, { token })).toMatchObject({ status: 200 });
      expect(await login(user)).toMatchObject(waiting);
      await put(user, { approved: true });
      expect(await login(user)).toMatchObject({ status: 200 });
    });

    describe('PUT', () => {
      it.each(['"true"', '1', '0', 'null', '[]', '{}'])(
        'refuses %s and changes nothing',
        async (approved) => {
          const rawBody = `{"displayname": "Changed", "approved": ${approved}}`;
          const user = await registered();
          const before = await readUser(user);
          const refused = refusal(400, 'M_BAD_JSON');
          expect(await world.admin.put(at(user), { rawBody })).toMatchObject(refused);
          expect(await readUser(user)).toEqual(before);
          const none = world.userId(world.freshName());
          expect(await world.admin.put(at(none), { rawBody })).toMatchObject(refused);
          expect(await world.admin.get(at(none))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
        },
      );

      it('leaves the approval unchanged without the key', async () => {
        const user = await registered();
        expect(await put(user, { displayname: 'Waits', admin: false })).toMatchObject({
          status: 200,
          body: { displayname: 'Waits', approved: false },
        });
        expect(await put(user, { approved: false })).toMatchObject({ body: { approved: false } });
      });

      it('accepts the whole record back', async () => {
        for (const user of [await registered(), await world.account()]) {
          const before = await readUser(user);
          const record = { ...before, avatar_url: undefined, admin: false, deactivated: false };
          expect(await put(user, record)).toMatchObject({ status: 200, body: before });
        }
      });

      it('PUT is recorded in the audit log', async () => {
        const user = await registered();
        await put(user, { approved: true });
        const entries = async () => {
          const query = { target: user };
          const { body } = await world.admin.get<{ entries: { request: unknown }[] }>(
            '/_service/admin/v1/audit_log',
            { query },
          );
          return body.entries.map(({ request }) => request);
        };
        await expect
          .poll(entries, { timeout: 20_000 })
          .toContainEqual(expect.objectContaining({ user_id: user, approved: true }));
      });
    });

    describe.each([
      ['2', V2, { deactivated: 'true' }],
      ['3', V3, {}],
    ])('the list of version %s', (version, target, all) => {
      const NAME = `listed-${version}`;
      /** The accounts by their distinguishing property, in the order of their names. */
      const users = new Map<string, string>();
      const list = async (query: Record<string, string | string[]>) => {
        const { status, body } = await world.admin.get<Page>(target, {
          query: { user_id: NAME, ...all, ...query },
        });
        expect(status).toBe(200);
        const states = new Map([...users].map(([state, userId]) => [userId, state]));
        return { ...body, states: body.users.map(({ name }) => states.get(name)) };
      };

      beforeAll(async () => {
        for (const state of ['waits', 'waits locked', 'waits as bot', 'waits deactivated']) {
          users.set(state, await registered(NAME));
        }
        for (const state of ['plain', 'withdrawn', 'approved']) {
          users.set(state, await world.account(NAME, state === 'approved' ? { approved: false } : {}));
        }
        const of = (state: string) => users.get(state) ?? '';
        await put(of('waits locked'), { locked: true });
        await put(of('waits as bot'), { user_type: 'bot' });
        await put(of('waits deactivated'), { deactivated: true });
        await put(of('withdrawn'), { approved: false });
        await put(of('approved'), { approved: true });
        await world.whenIdle();
      });

      it('has every account with its approval', async () => {
        const queries: Record<string, string>[] = [{}, { approved: 'true' }];
        for (const query of queries) {
          const { users: entries, total, states } = await list({ locked: 'true', ...query });
          expect(states).toEqual([...users.keys()]);
          expect(total).toBe(7);
          expect(entries.map(({ approved }) => approved)).toEqual([
            false,
            false,
            false,
            false,
            true,
            false,
            true,
          ]);
        }
      });

      it.each<[Record<string, string | string[]>, string[]]>([
        [{}, ['waits', 'waits as bot', 'waits deactivated', 'withdrawn']],
        [{ locked: 'true' }, ['waits', 'waits locked', 'waits as bot', 'waits deactivated', 'withdrawn']],
        [{ deactivated: 'false' }, ['waits', 'waits as bot', 'withdrawn']],
        [{ not_user_type: ['bot'] }, ['waits', 'waits deactivated', 'withdrawn']],
        [{ not_user_type: [''] }, ['waits as bot']],
        [{ admins: 'true' }, []],
        [{ dir: 'b' }, ['withdrawn', 'waits deactivated', 'waits as bot', 'waits']],
        [{ order_by: 'user_type', dir: 'b', deactivated: 'false' }, ['waits as bot', 'waits', 'withdrawn']],
        [
          { order_by: 'creation_ts', name: NAME, guests: 'false', deactivated: 'false', limit: '9' },
          ['waits', 'waits as bot', 'withdrawn'],
        ],
      ])('has only accounts that wait, with approved=false and %j', async (query, expected) => {
        const { states, total } = await list({ approved: 'false', ...query });
        expect(states).toEqual(expected);
        expect(total).toBe(expected.length);
      });

      it('has pages', async () => {
        const first = await list({ approved: 'false', limit: '3' });
        expect(first).toMatchObject({ total: 4, next_token: '3' });
        const next = await list({ approved: 'false', limit: '3', from: '3' });
        expect(next).toMatchObject({ total: 4, states: ['withdrawn'] });
        expect(next.next_token).toBeUndefined();
      });

      it.each(['1', 'x', '', 'False'])('refuses approved=%s', async (approved) => {
        const reply = await world.admin.get(target, { query: { approved } });
        expect(reply).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
      });
    });

    it('has booleans under the original prefix, too', async () => {
      const user = await registered();
      const original = (target: string) => world.admin.get<Page>(target.replace('_service', '_synapse'));
      expect(await original(at(user))).toMatchObject({ status: 200, body: { approved: false } });
      const list = await original(`${V2}?user_id=${encodeURIComponent(user)}&approved=false`);
      expect(list.body).toMatchObject({ users: [{ name: user, approved: false }], total: 1 });
    });
  },
  { config: CONFIG },
);

oneProcessChapter(
  '14.1 Account approval with registration tokens',
  (world) => {
    it('a registration takes one use, also when the client repeats it', async () => {
      const TOKENS = '/_service/admin/v1/registration_tokens';
      const created = await world.admin.post<{ token: string }>(`${TOKENS}/new`, {
        body: { uses_allowed: 1 },
      });
      const { token } = created.body;
      const register = (body: unknown) => world.http<Registered>('POST', REGISTER, { body });
      const { session } = (await register({ username: world.freshName(), password: PASSWORD })).body;
      const auth = { type: 'm.login.registration_token', token, session };
      for (let repetition = 0; repetition < 2; repetition++) {
        expect(await register({ auth })).toMatchObject(waiting);
        const { body } = await world.admin.get(`${TOKENS}/${token}`);
        expect(body).toMatchObject({ uses_allowed: 1, pending: 0, completed: 1 });
      }
    });
  },
  { config: { registration: { ...CONFIG.registration, requires_token: true } } },
);

chapter('14.1 Without account approval', (world) => {
  const put = (userId: string, body: unknown) => world.admin.put(at(userId), { body });

  it('a registered account can log in', async () => {
    const username = world.freshName();
    const body = { username, password: PASSWORD, auth: DUMMY };
    expect(await world.http('POST', REGISTER, { body })).toMatchObject({
      status: 200,
      body: { access_token: expect.any(String) },
    });
    expect(await world.login(actorOf(world, username))).toMatchObject({ token: expect.any(String) });
  });

  it.each([false, true, 'true', 1, null, []])('PUT ignores the value %j', async (approved) => {
    const user = await world.account('ignored', { password: PASSWORD, approved });
    const changed = await put(user, { displayname: 'Changed', approved });
    expect(changed).toMatchObject({ status: 200, body: { displayname: 'Changed' } });
    expect(changed.body).not.toHaveProperty('approved');
    expect((await world.admin.get(at(user))).body).not.toHaveProperty('approved');
    await world.login(actorOf(world, user.slice(1, user.indexOf(':'))));
  });

  it('PUT still refuses other violations', async () => {
    const user = await world.account();
    for (const [fields, errcode] of [
      [{ admin: 1 }, 'M_BAD_JSON'],
      [{ displayname: 1 }, 'M_INVALID_PARAM'],
      [{ avatar_url: 'https://example.org/a.png' }, 'M_INVALID_PARAM'],
    ] as const) {
      expect(await put(user, { ...fields, approved: 'x' })).toMatchObject(refusal(400, errcode));
    }
  });

  it.each([V2, V3])('%s has no approval, checks the parameter, and does not apply it', async (target) => {
    const user = await world.account('unfiltered', { approved: false });
    for (const approved of ['false', 'true']) {
      const { body } = await world.admin.get<Page>(target, { query: { user_id: user, approved } });
      expect(body).toMatchObject({ users: [{ name: user }], total: 1 });
      expect(body.users[0]).not.toHaveProperty('approved');
    }
    expect(await world.admin.get(target, { query: { approved: 'x' } })).toMatchObject(
      refusal(400, 'M_INVALID_PARAM'),
    );
  });
});

oneProcessChapter(
  '14.1 Account approval that is switched off and on',
  (world) => {
    it('does not affect logins while it is off, and the accounts wait again afterwards', async () => {
      const [earlier, username] = [await world.user(), world.freshName()];
      const waits = actorOf(world, username);
      const body = { username, password: PASSWORD, auth: DUMMY };
      expect(await world.http('POST', REGISTER, { body })).toMatchObject(waiting);
      await world.restart({});
      await world.login(waits);
      const shown = (await world.admin.get(at(waits.userId))).body;
      expect(shown).toMatchObject({ name: waits.userId });
      expect(shown).not.toHaveProperty('approved');
      const onlyWhileOff = await world.account();
      await world.restart({ config: CONFIG });
      await expect(world.login(waits)).rejects.toThrow('MSC3866_USER_AWAITING_APPROVAL');
      await world.login(earlier);
      const list = await world.admin.get<Page>(V2, { query: { approved: 'false' } });
      expect(list.body.users.map(({ name }) => name)).toEqual([waits.userId]);
      expect((await world.admin.get(at(onlyWhileOff))).body).toMatchObject({ approved: true });
    });
  },
  { config: CONFIG },
);

/** A user who has not logged in. */
function actorOf(world: World, localpart: string): Actor {
  return world.actor({
    userId: world.userId(localpart),
    localpart,
    password: PASSWORD,
    token: '',
    deviceId: '',
  });
}
