import { path, type Reply } from '@steward/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { fill, servedOnce } from './served.ts';

/** The number of concurrent requests. */
const PARALLEL = 32;

const LONG = 'x'.repeat(100_000);

const user = (userId: string) => path`/_service/admin/v2/users/${userId}`;

const statuses = (replies: readonly Reply<unknown>[]) => replies.map(({ status }) => status).sort();

const times = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

chapter('Hostile requests', (world, { isOneProcess }) => {
  const put = (userId: string, body: unknown) => world.admin.put(user(userId), { body });
  const readUser = async (userId: string) => (await world.admin.get(user(userId))).body;

  afterEach(async () => {
    // The server still responds after every case.
    expect(await world.admin.get('/_service/admin/v2/users?limit=1')).toMatchObject({ status: 200 });
  });

  describe('ids of 100,000 characters', () => {
    const withIds = servedOnce.filter(({ template }) => template.includes('{'));

    it.each(withIds)(
      'in the path, up to the length that the server accepts: $verb $template',
      async ({ verb, template }) => {
        const id = LONG.slice(0, 25_000);
        const target = fill(template, (variable) => (variable === 'user_id' ? `@${id}:test` : id));
        const reply = await world.http(verb, target, { token: world.admin.token, body: {} });
        expect(reply.status).toBeLessThan(500);
        expect(reply).not.toMatchObject({ body: { errcode: 'M_UNRECOGNIZED' } });
      },
    );

    it('in the query', async () => {
      for (const name of ['name', 'user_id', 'not_user_type', 'order_by', 'limit', 'unknown']) {
        const reply = await world.admin.get('/_service/admin/v2/users', { query: { [name]: LONG } });
        expect(reply.status, name).toBeLessThan(500);
      }
      const { status } = await world.http('GET', '/_proto/client/versions', {
        query: { access_token: LONG },
      });
      expect(status).toBeLessThan(500);
      expect(status).toBeGreaterThanOrEqual(400);
    });

    it('in the body', async () => {
      const someone = await world.user();
      const { userId } = someone;
      const refused: [string, string, unknown][] = [
        ['POST', `${user(userId)}/devices`, { device_id: LONG }],
        ['PUT', `${user(userId)}/devices/${someone.deviceId}`, { display_name: LONG }],
        ['PUT', user(userId), { displayname: LONG }],
        ['PUT', user(userId), { avatar_url: `mxc://test/${LONG}` }],
        ['PUT', user(userId), { user_type: LONG }],
        ['PUT', user(userId), { password: LONG }],
        ['POST', '/_service/admin/v1/register', { nonce: LONG }],
        ['POST', '/_proto/client/v3/register', { username: LONG }],
        ['POST', '/_proto/client/v3/login', { type: 'm.login.password', user: LONG, password: LONG }],
      ];
      for (const [verb, target, body] of refused) {
        const token = target.includes('/users/') ? { token: world.admin.token } : {};
        const { status } = await world.http(verb, target, { ...token, body });
        expect(status, `${verb} ${target}`).toBeGreaterThanOrEqual(400);
        expect(status, `${verb} ${target}`).toBeLessThan(500);
      }
      const body = { devices: [LONG, LONG] };
      expect(await world.admin.post(`${user(userId)}/delete_devices`, { body })).toMatchObject({
        status: 200,
      });
    });

    it('in long lists', async () => {
      const { userId } = await world.user();
      // Between processes, the database takes long for long lists.
      const devices = Array.from({ length: isOneProcess ? 50_000 : 5_000 }, (_, i) => `unknown ${i}`);
      expect((await world.admin.post(`${user(userId)}/delete_devices`, { body: { devices } })).status).toBe(
        200,
      );
      const threepids = Array.from({ length: isOneProcess ? 1_000 : 200 }, (_, i) => ({
        medium: 'email',
        address: `many-${i}@example.org`,
      }));
      expect((await put(userId, { threepids })).status).toBeLessThan(500);
      const external_ids = threepids.map(({ address }) => ({ auth_provider: 'many', external_id: address }));
      expect((await put(userId, { external_ids })).status).toBeLessThan(500);
      const query = { not_user_type: Array.from({ length: 2_000 }, (_, i) => `t${i}`) };
      expect((await world.admin.get('/_service/admin/v2/users', { query })).status).toBe(200);
    });
  });

  describe('unusual characters', () => {
    const ODD = [
      '\0',
      'a\0b',
      '\u202E',
      '\uFEFF',
      '\uFFFF',
      '%00',
      '\r\n',
      "'; DROP TABLE x --",
      '`x`',
      '$gt',
      '__proto__',
      'constructor',
      '😀',
      'e\u0301',
      '../../x',
    ];

    it.each(ODD)('%j in paths', async (text) => {
      const someone = await world.account();
      for (const [target, status] of [
        [user(text), 400],
        [user(`@${text}:test`), 404],
        [`${user(someone)}/devices/${encodeURIComponent(text)}`, 404],
        [path`/_service/admin/v1/auth_providers/${text}/users/${text}`, 404],
        [path`/_service/admin/v1/threepid/${text}/users/${text}`, 404],
        [path`/_service/admin/v1/users/${`@${text}:test`}/admin`, 200],
      ] as const) {
        expect((await world.admin.get(target)).status, target).toBe(status);
      }
      const deletion = `${user(someone)}/devices/${encodeURIComponent(text)}`;
      expect((await world.admin.delete(deletion)).status).toBe(200);
    });

    it.each(ODD)('%j in queries', async (text) => {
      for (const name of ['name', 'user_id', 'not_user_type']) {
        const reply = await world.admin.get('/_service/admin/v2/users', { query: { [name]: text } });
        expect(reply.status, name).toBe(200);
      }
      for (const name of ['order_by', 'dir', 'limit', 'from', 'guests']) {
        const reply = await world.admin.get('/_service/admin/v2/users', { query: { [name]: text } });
        expect(reply, name).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
      }
    });

    it.each(ODD.filter((text) => !/[\0\r\n]/.test(text)))('%j is kept as it was sent', async (text) => {
      const external_ids = [{ auth_provider: text, external_id: world.freshName(text) }];
      const someone = await world.account('x', { displayname: `<${text}>`, external_ids });
      expect(await readUser(someone)).toMatchObject({ displayname: `<${text}>`, external_ids });
      const found = await world.admin.get(
        path`/_service/admin/v1/auth_providers/${text}/users/${external_ids[0]?.external_id ?? ''}`,
      );
      expect(found.body).toEqual({ user_id: someone });
      const list = await world.admin.get('/_service/admin/v2/users', { query: { name: `<${text}>` } });
      expect(list.body.total).toBe(1);
    });

    it('half surrogate pairs in bodies', async () => {
      const someone = await world.account();
      for (const surrogate of ['\\ud83d', '\\ude00', '\\ude00\\ud83d']) {
        const bodies = [
          `{"displayname":"a${surrogate}"}`,
          `{"external_ids":[{"auth_provider":"${surrogate}","external_id":"${surrogate}"}]}`,
          `{"threepids":[{"medium":"email","address":"${surrogate}@example.org"}]}`,
          `{"${surrogate}":1}`,
          `{"password":"${surrogate}"}`,
        ];
        for (const rawBody of bodies) {
          expect((await world.admin.put(user(someone), { rawBody })).status, rawBody).toBeLessThan(500);
        }
        const device = { rawBody: `{"device_id":"${surrogate}"}` };
        expect((await world.admin.post(`${user(someone)}/devices`, device)).status).toBeLessThan(500);
      }
      const shown = await world.admin.get(user(someone));
      expect(shown.status).toBe(200);
      expect(shown.text.isWellFormed()).toBe(true);
      expect(JSON.stringify(shown.body)).not.toMatch(/\\ud[89a-f]/);
      expect((await world.admin.get('/_service/admin/v2/users')).status).toBe(200);
      expect((await world.admin.get(`${user(someone)}/devices`)).status).toBe(200);
    });

    it('keys with a meaning in JavaScript', async () => {
      const someone = await world.account();
      const rawBody =
        '{"__proto__":{"admin":true,"deactivated":true},"constructor":{"prototype":{"admin":true}}}';
      expect(await world.admin.put(user(someone), { rawBody })).toMatchObject({
        status: 200,
        body: { admin: 0, deactivated: 0 },
      });
    });
  });

  describe('concurrently', () => {
    it('changes of one user lose no update', async () => {
      const someone = await world.account();
      const external_ids = [{ auth_provider: 'p', external_id: world.freshName() }];
      const threepids = [{ medium: 'email', address: `${world.freshName()}@example.org` }];
      const changes: Record<string, unknown>[] = [
        { displayname: 'Together' },
        { avatar_url: 'mxc://test/together' },
        { threepids },
        { external_ids },
        { admin: true },
        { user_type: 'bot' },
        { locked: true },
        {},
      ];
      const replies = await times(PARALLEL, (i) => put(someone, changes[i % changes.length]));
      expect(new Set(statuses(replies))).toEqual(new Set([200]));
      expect(await readUser(someone)).toMatchObject({
        displayname: 'Together',
        avatar_url: 'mxc://test/together',
        threepids,
        external_ids,
        admin: 1,
        user_type: 'bot',
        locked: true,
      });
    });

    it('two creations return one 201 and one 200', async () => {
      const someone = world.userId(world.freshName());
      const replies = await times(2, (i) => put(someone, { displayname: `Number ${i}` }));
      expect(statuses(replies)).toEqual([200, 201]);
      const list = await world.admin.get('/_service/admin/v2/users', { query: { user_id: someone } });
      expect(list.body.total).toBe(1);
    });

    it('many creations return one 201', async () => {
      const someone = world.userId(world.freshName());
      const replies = await times(PARALLEL, () => put(someone, {}));
      expect(statuses(replies)).toEqual([...Array(PARALLEL - 1).fill(200), 201]);
    });

    it('an external id is assigned to one user', async () => {
      const external_ids = [{ auth_provider: 'race', external_id: world.freshName() }];
      const accounts = await times(8, () => world.account('racer'));
      const replies = await Promise.all(accounts.map((account) => put(account, { external_ids })));
      expect(statuses(replies)).toEqual([200, ...Array(7).fill(409)]);
      const holders = (await Promise.all(accounts.map(readUser))).filter(
        (account) => (account.external_ids as unknown[]).length > 0,
      );
      expect(holders).toHaveLength(1);
    });

    it('an address belongs to one user in the end', async () => {
      const threepids = [{ medium: 'email', address: `${world.freshName()}@example.org` }];
      const accounts = await times(8, () => world.account('racer'));
      const replies = await Promise.all(accounts.map((account) => put(account, { threepids })));
      expect(new Set(statuses(replies))).toEqual(new Set([200]));
      await world.whenIdle();
      const holders = (await Promise.all(accounts.map(readUser))).filter(
        (account) => (account.threepids as unknown[]).length > 0,
      );
      expect(holders).toHaveLength(1);
      const found = await world.admin.get(
        path`/_service/admin/v1/threepid/email/users/${threepids[0]?.address ?? ''}`,
      );
      expect(found.body.user_id).toBe(holders[0]?.name);
    });

    it('a nonce and a name are accepted once', async () => {
      const username = world.freshName('wanted');
      const replies = await times(8, () => world.register({ username, password: 'x' }));
      expect(statuses(replies)).toEqual([200, ...Array(7).fill(400)]);
      for (const { status, body } of replies) if (status === 400) expect(body.errcode).toBe('M_USER_IN_USE');
    });

    it('logins and a deactivation leave no session', async () => {
      const someone = await world.user();
      const login = () =>
        world.http<{ access_token?: string }>('POST', '/_proto/client/v3/login', {
          body: { type: 'm.login.password', user: someone.userId, password: someone.password },
        });
      const [, ...logins] = await Promise.all([
        world.admin.post(path`/_service/admin/v1/deactivate/${someone.userId}`),
        ...Array.from({ length: 8 }, login),
      ]);
      await world.whenIdle();
      for (const { status, body } of logins) {
        expect([200, 403]).toContain(status);
        if (body.access_token === undefined) continue;
        const whoAmI = await world.http('GET', '/_proto/client/v3/account/whoami', {
          token: body.access_token,
        });
        expect(whoAmI.status).toBe(401);
      }
      expect((await world.admin.get(`${user(someone.userId)}/devices`)).body.total).toBe(0);
    });

    it('device changes of one user lose no update', async () => {
      const someone = await world.account();
      const target = `${user(someone)}/devices`;
      const replies = await times(PARALLEL, (i) =>
        world.admin.post(target, { body: { device_id: `D${i % 16}` } }),
      );
      expect(new Set(statuses(replies))).toEqual(new Set([200]));
      expect((await world.admin.get(target)).body.total).toBe(16);
    });
  });
});
