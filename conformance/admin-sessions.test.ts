import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { chapter, oneProcessChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const SESSION = '/_service/admin/v1/session';
const STEP_UP = '/_service/admin/v1/session/step_up';
const SESSIONS = '/_service/admin/v1/sessions';
const ME = '/_service/admin/v1/me';
const USERS = '/_service/admin/v2/users?limit=1';
const ROLES = '/_service/admin/v1/roles';
const WHOAMI = '/_proto/client/v3/account/whoami';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const at = (userId: string) => path`/_service/admin/v2/users/${userId}`;
const sessionsOf = (userId: string) => path`/_service/admin/v1/users/${userId}/sessions`;

const ok = { status: 200 };
const forbidden = refusal(403, 'M_FORBIDDEN');
const unknown = refusal(401, 'M_UNKNOWN_TOKEN');
const missing = refusal(401, 'M_MISSING_TOKEN');
const stepUpRequired = refusal(401, 'STEWARD_STEP_UP_REQUIRED', {
  flows: [{ stages: ['m.login.password'] }],
});

interface Session {
  readonly id: string;
  readonly current: boolean;
  readonly proved_ts: number | null;
}

chapter('Administrator sessions', (world) => {
  let admin: Actor;
  beforeAll(async () => {
    admin = await world.user('admin', { admin: true });
  });

  /** A browser with a session of an administrator. */
  async function signedIn(user = admin): Promise<Browser> {
    const browser = new Browser(world);
    expect(await browser.signIn(user)).toMatchObject(ok);
    return browser;
  }

  /** A browser with a session that nothing proves, because it began with an access token. */
  async function unproved(user = admin): Promise<Browser> {
    const browser = new Browser(world);
    expect(await browser.send('POST', SESSION, { token: user.token })).toMatchObject(ok);
    return browser;
  }

  describe('begin', () => {
    it('with a password, and answer the secret in the cookie only', async () => {
      const browser = new Browser(world);
      const reply = await browser.signIn<{ session: Session }>(admin);
      expect(reply).toMatchObject({
        status: 200,
        body: {
          user_id: admin.userId,
          roles: ['admin'],
          scopes: expect.arrayContaining(['users:read']),
          session: { current: true, proved_ts: expect.any(Number) },
        },
      });
      expect(browser.cookie).toMatch(/^steward-session=sws_[a-z2-7]{55}$/);
      expect([...browser.cookieAttributes].sort()).toEqual([
        'HttpOnly',
        'Max-Age=43200',
        'Path=/',
        'SameSite=Strict',
      ]);
      expect(reply.text).not.toContain('sws_');
      expect(reply.headers['cache-control']).toContain('no-store');
      expect(reply.headers).not.toHaveProperty('steward-session-cookie');
      expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
      expect(await browser.send('GET', USERS)).toMatchObject(ok);
      expect(await browser.send('GET', ME)).toMatchObject({
        body: { token_kind: 'session', session_id: reply.body.session.id, proved_ts: expect.any(Number) },
      });
    });

    it('with an access token of a device, without a proof', async () => {
      const browser = await unproved();
      expect(await browser.send('GET', SESSION)).toMatchObject({
        body: { user_id: admin.userId, session: { proved_ts: null } },
      });
      expect(await browser.send('GET', ME)).toMatchObject({ body: { proved_ts: null } });
    });

    it('under a name that only the host can set, where browsers use TLS', async () => {
      const browser = new Browser(world);
      const headers = { 'x-forwarded-proto': 'https', origin: browser.origin.replace('http:', 'https:') };
      const body = { user: admin.userId, password: admin.password };
      expect(await browser.send('POST', SESSION, { body, headers })).toMatchObject(ok);
      expect(browser.cookie).toMatch(/^__Host-steward-session=sws_/);
      expect(browser.cookieAttributes).toContain('Secure');
      expect(await browser.send('GET', USERS, { headers: { 'x-forwarded-proto': 'https' } })).toMatchObject(
        ok,
      );
      // Another host of the domain could have set a cookie of the plain name.
      const plain = { 'x-forwarded-proto': 'https', cookie: browser.cookie.replace('__Host-', '') };
      expect(await browser.send('GET', USERS, { headers: plain })).toMatchObject(missing);
    });

    it.each([
      ['a wrong password', (user: Actor) => ({ user: user.userId, password: 'wrong' }), forbidden],
      ['an unknown user', () => ({ user: 'nobody', password: 'wrong' }), forbidden],
      ['no user', () => ({ password: 'x' }), refusal(400, 'M_INVALID_PARAM')],
      ['no password', (user: Actor) => ({ user: user.userId }), refusal(400, 'M_MISSING_PARAM')],
      [
        'a password of another type',
        (user: Actor) => ({ user: user.userId, password: 1 }),
        refusal(400, 'M_INVALID_PARAM'),
      ],
    ])('not with %s', async (_, body, refused) => {
      const browser = new Browser(world);
      expect(await browser.send('POST', SESSION, { body: body(admin) })).toMatchObject(refused);
      expect(browser.cookie).toBe('');
    });

    it('not for an account without a scope, and not with other tokens', async () => {
      const user = await world.user();
      expect(await new Browser(world).signIn(user)).toMatchObject(forbidden);
      expect(await new Browser(world).send('POST', SESSION, { token: user.token })).toMatchObject(forbidden);
      const other = await world.user('admin', { admin: true });
      const actAs = path`/_service/admin/v1/users/${other.userId}/login`;
      const { access_token: token } = (await admin.post<{ access_token: string }>(actAs)).body;
      expect(await new Browser(world).send('POST', SESSION, { token })).toMatchObject(forbidden);
      expect(await new Browser(world).send('POST', SESSION, { token: 'unknown' })).toMatchObject(unknown);
      const both = { token: admin.token, body: { user: admin.userId, password: admin.password } };
      expect(await new Browser(world).send('POST', SESSION, both)).toMatchObject(
        refusal(400, 'M_INVALID_PARAM'),
      );
    });
  });

  it('administrator sessions are accepted by the administrative API and as a cookie only', async () => {
    const browser = await signedIn();
    const secret = browser.cookie.split('=')[1] ?? '';
    expect(await browser.send('GET', USERS.replace('/_service', '/_synapse'))).toMatchObject(ok);
    for (const client of [WHOAMI, path`/_proto/client/v3/admin/whois/${admin.userId}`])
      expect(await browser.send('GET', client)).toMatchObject(missing);
    expect(await world.http('GET', USERS, { token: secret })).toMatchObject(unknown);
    expect(await world.http('GET', WHOAMI, { token: secret })).toMatchObject(unknown);
    expect(await world.http('GET', USERS, { query: { access_token: secret } })).toMatchObject(unknown);
    // A token takes the place of the cookie.
    expect(await browser.send('GET', USERS, { token: 'unknown' })).toMatchObject(unknown);
    for (const cookie of [
      `${browser.cookie}; ${browser.cookie}`,
      `${browser.cookie}a`,
      'steward-session',
      'steward-session=',
      // Browsers permit other hosts of the domain to set a cookie of such a name, also before __Host-.
      `\u00a0${browser.cookie}`,
      `steward-session="${secret}"`,
      `a=;;=b; =;${'x'.repeat(30_000)}`,
    ])
      expect(await browser.send('GET', USERS, { headers: { cookie } })).toMatchObject(missing);
    const among = { cookie: `other=1; ${browser.cookie}; steward-session-2=2` };
    expect(await browser.send('GET', USERS, { headers: among })).toMatchObject(ok);
  });

  describe('refuse requests of pages of other origins', () => {
    const body = { displayname: 'Changed' };

    it.each([
      ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }],
      ['from a host of the same site', { 'sec-fetch-site': 'same-site' }],
      ['from a page without an origin', { 'sec-fetch-site': 'none' }],
      [
        'from another origin in an old browser',
        { 'sec-fetch-site': [], origin: 'https://elsewhere.example' },
      ],
      ['from a sandboxed page', { 'sec-fetch-site': [], origin: 'null' }],
      ['that state nothing', { 'sec-fetch-site': [], origin: [] }],
      ['with a second header', { 'sec-fetch-site': ['same-origin', 'cross-site'] }],
    ])('%s', async (_, headers) => {
      const [browser, user] = [await signedIn(), await world.user()];
      expect(await browser.send('PUT', at(user.userId), { body, headers })).toMatchObject(forbidden);
      expect((await admin.get(at(user.userId))).body).not.toMatchObject(body);
    });

    it('but not reads of a page that the user opened, nor those of old browsers', async () => {
      const browser = await signedIn();
      const read = (headers: Readonly<Record<string, string | readonly string[]>>) =>
        browser.send('GET', USERS, { headers });
      expect(await read({ 'sec-fetch-site': 'none' })).toMatchObject(ok);
      expect(await read({ 'sec-fetch-site': [] })).toMatchObject(ok);
      expect(await read({ 'sec-fetch-site': 'cross-site' })).toMatchObject(forbidden);
      const put = { headers: { 'sec-fetch-site': [] as string[] }, body };
      expect(await browser.send('PUT', at((await world.user()).userId), put)).toMatchObject(ok);
    });

    it('also where they would begin or end a session', async () => {
      const browser = new Browser(world);
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
      const body = { user: admin.userId, password: admin.password };
      expect(await browser.send('POST', SESSION, { body, headers })).toMatchObject(forbidden);
      expect(browser.cookie).toBe('');
      await browser.signIn(admin);
      expect(await browser.send('DELETE', SESSION, { headers })).toMatchObject(forbidden);
      expect(await browser.send('GET', SESSION)).toMatchObject(ok);
    });
  });

  describe('end', () => {
    it('when their user ends them, which clears the cookie', async () => {
      const browser = await signedIn();
      const { cookie } = browser;
      expect(await browser.send('DELETE', SESSION)).toMatchObject({ status: 200, body: {} });
      expect(browser.cookie).toBe('');
      expect(browser.cookieAttributes).toContain('Max-Age=0');
      expect(await browser.send('GET', USERS, { headers: { cookie } })).toMatchObject(unknown);
      expect(await browser.send('GET', USERS)).toMatchObject(missing);
    });

    it('from another session, and by another administrator', async () => {
      const user = await world.user('admin', { admin: true });
      const [one, other, third] = [await signedIn(user), await signedIn(user), await signedIn(user)];
      const list = async () => (await one.send<{ sessions: Session[] }>('GET', SESSIONS)).body.sessions;
      const listed = await list();
      expect(listed.map(({ current }) => current).sort()).toEqual([false, false, true]);
      const idOf = async (browser: Browser) =>
        (await browser.send<{ session: Session }>('GET', SESSION)).body.session.id;
      const otherId = await idOf(other);
      expect(await one.send('DELETE', path`/_service/admin/v1/sessions/${otherId}`)).toMatchObject(ok);
      expect(await one.send('DELETE', path`/_service/admin/v1/sessions/${otherId}`)).toMatchObject(
        refusal(404, 'M_NOT_FOUND'),
      );
      expect(await other.send('GET', USERS)).toMatchObject(unknown);

      const thirdId = await idOf(third);
      expect((await admin.get(sessionsOf(user.userId))).body).toMatchObject({
        sessions: expect.arrayContaining([expect.objectContaining({ id: thirdId, current: false })]),
      });
      const foreign = path`/_service/admin/v1/users/${admin.userId}/sessions/${thirdId}`;
      expect(await admin.delete(foreign)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      const support = await world.user('support');
      await admin.put(path`/_service/admin/v1/users/${support.userId}/roles`, {
        body: { roles: ['support'] },
      });
      const end = path`/_service/admin/v1/users/${user.userId}/sessions/${thirdId}`;
      expect(await support.delete(end)).toMatchObject(forbidden);
      expect(await admin.delete(end)).toMatchObject(ok);
      expect(await third.send('GET', USERS)).toMatchObject(unknown);
      expect(await list()).toHaveLength(1);
    });

    it.each([
      ['log out everywhere', (user: Actor) => user.post('/_proto/client/v3/logout/all')],
      [
        'get a new password',
        (user: Actor) =>
          admin.post(path`/_service/admin/v1/reset_password/${user.userId}`, {
            body: { new_password: 'changed' },
          }),
      ],
      ['are deactivated', (user: Actor) => admin.post(path`/_service/admin/v1/deactivate/${user.userId}`)],
      [
        'lose their last scope',
        (user: Actor) =>
          admin.put(path`/_service/admin/v1/users/${user.userId}/admin`, { body: { admin: false } }),
      ],
    ])('when their users %s', async (_, act) => {
      const user = await world.user('admin', { admin: true });
      const browser = await signedIn(user);
      expect(await act(user)).toMatchObject(ok);
      expect(await browser.send('GET', USERS)).toMatchObject(unknown);
    });

    it('not when the account is locked, but are refused as long as it is', async () => {
      const user = await world.user('admin', { admin: true });
      const browser = await signedIn(user);
      await admin.put(at(user.userId), { body: { locked: true } });
      expect(await browser.send('GET', USERS)).toMatchObject(refusal(401, 'M_USER_LOCKED'));
      await admin.put(at(user.userId), { body: { locked: false } });
      expect(await browser.send('GET', USERS)).toMatchObject(ok);
    });

    it('the oldest, where an account has too many', async () => {
      const user = await world.user('admin', { admin: true });
      const browsers: Browser[] = [];
      for (let i = 0; i < 21; i++) {
        browsers.push(await unproved(user));
        world.moveClock?.(1);
      }
      const [first, last] = [browsers[0], browsers[20]];
      const { sessions } = (await last?.send<{ sessions: Session[] }>('GET', SESSIONS))?.body ?? {};
      expect(sessions).toHaveLength(20);
      expect(await first?.send('GET', USERS)).toMatchObject(unknown);
    });
  });

  describe('require a recent proof', () => {
    it('for a scope of the setting, and carry the order out after it', async () => {
      const browser = await unproved();
      const body = { name: world.freshName('role'), description: '', scopes: ['users:read'] };
      expect(await browser.send('POST', ROLES, { body })).toMatchObject(stepUpRequired);
      expect(await admin.get(path`/_service/admin/v1/roles/${body.name}`)).toMatchObject({ status: 404 });
      expect(await browser.send('POST', STEP_UP, { body: { password: 'wrong' } })).toMatchObject(forbidden);
      expect(await browser.send('POST', STEP_UP, { body: {} })).toMatchObject(
        refusal(400, 'M_MISSING_PARAM'),
      );
      expect(await browser.send('POST', ROLES, { body })).toMatchObject(stepUpRequired);
      const proof = { body: { password: admin.password } };
      expect(await browser.send('POST', STEP_UP, proof)).toMatchObject({
        body: { session: { proved_ts: expect.any(Number) } },
      });
      expect(await browser.send('POST', ROLES, { body })).toMatchObject(ok);
    });

    it('for a field that has such a scope', async () => {
      const [browser, user] = [await unproved(), await world.user()];
      const promote = { body: { admin: true } };
      expect(await browser.send('PUT', at(user.userId), promote)).toMatchObject(stepUpRequired);
      expect((await admin.get(at(user.userId))).body.admin).toBeFalsy();
      expect(await browser.send('PUT', at(user.userId), { body: { displayname: 'x' } })).toMatchObject(ok);
      await browser.send('POST', STEP_UP, { body: { password: admin.password } });
      expect(await browser.send('PUT', at(user.userId), promote)).toMatchObject(ok);
    });

    it('for a right that is used by fields with their defaults', async () => {
      const [browser, user] = [await unproved(), await world.user('admin', { admin: true })];
      const ids = [{ auth_provider: 'provider', external_id: user.localpart }];
      expect(await admin.put(at(user.userId), { body: { external_ids: ids } })).toMatchObject(ok);
      for (const body of [{ admin: false }, { external_ids: [] }]) {
        expect(await browser.send('PUT', at(user.userId), { body })).toMatchObject(stepUpRequired);
        expect((await admin.get(at(user.userId))).body).toMatchObject({ admin: 1, external_ids: ids });
      }
      await browser.send('POST', STEP_UP, { body: { password: admin.password } });
      const both = { body: { admin: false, external_ids: [] } };
      expect(await browser.send('PUT', at(user.userId), both)).toMatchObject(ok);
      const again = await unproved();
      expect(await again.send('PUT', at(user.userId), both)).toMatchObject(ok);
    });

    it('in every service, and for impersonation and erasure', async () => {
      const [browser, user] = [await unproved(), await world.user()];
      const erase = path`/_service/admin/v1/deactivate/${user.userId}`;
      const room = path`/_service/admin/v2/rooms/${'!none:test'}`;
      for (const [verb, target, body] of [
        ['DELETE', room, {}],
        ['POST', path`/_service/admin/v1/users/${user.userId}/login`, {}],
        ['POST', erase, { erase: true }],
      ] as const)
        expect(await browser.send(verb, target, { body })).toMatchObject(stepUpRequired);
      await browser.send('POST', STEP_UP, { body: { password: admin.password } });
      expect(await browser.send('DELETE', room, { body: {} })).not.toMatchObject({ status: 401 });
      const actAs = path`/_service/admin/v1/users/${user.userId}/login`;
      const { access_token: token } = (await browser.send<{ access_token: string }>('POST', actAs)).body;
      expect(await world.http('GET', WHOAMI, { token })).toMatchObject({ body: { user_id: user.userId } });
      expect(await browser.send('POST', erase, { body: { erase: true } })).toMatchObject(ok);
    });

    it('of sessions only: access tokens need none, and can give none', async () => {
      expect(await admin.post(STEP_UP, { body: { password: admin.password } })).toMatchObject(
        refusal(404, 'M_NOT_FOUND'),
      );
      expect(await admin.delete(SESSION)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      const body = { name: world.freshName('role'), scopes: [] };
      expect(await admin.post(ROLES, { body })).toMatchObject(ok);
    });
  });

  it('appear in the audit log, without a secret', async () => {
    const user = await world.user('admin', { admin: true });
    const browser = await signedIn(user);
    await browser.send('POST', STEP_UP, { body: { password: user.password } });
    await browser.send('DELETE', SESSION);
    await world.whenIdle();
    const log = () =>
      admin.get<{ entries: Record<string, unknown>[] }>('/_service/admin/v1/audit_log', {
        query: { actor: user.userId },
      });
    await expect
      .poll(async () => (await log()).body.entries?.map(({ action, token_kind: kind }) => [action, kind]))
      .toEqual([
        ['user.end_admin_session', 'session'],
        ['user.step_up', 'session'],
        ['user.create_admin_session', 'session'],
      ]);
    const { text } = await log();
    expect(text).not.toContain(user.password);
    expect(text).not.toContain('sws_');
  });
});

oneProcessChapter('Administrator sessions, in time', (world) => {
  const move = (ms: number) => world.moveClock?.(ms);

  it('end when they are not used, and at the end of their lifetime', async () => {
    const [used, unused] = [new Browser(world), new Browser(world)];
    await used.signIn(world.admin);
    await unused.signIn(world.admin);
    for (let passed = 0; passed < 12 * HOUR_MS - 25 * MINUTE_MS; passed += 25 * MINUTE_MS) {
      expect(await used.send('GET', USERS)).toMatchObject(ok);
      move(25 * MINUTE_MS);
    }
    expect(await unused.send('GET', USERS)).toMatchObject(unknown);
    expect(await used.send('GET', USERS)).toMatchObject(ok);
    move(25 * MINUTE_MS);
    expect(await used.send('GET', USERS)).toMatchObject(unknown);
  });

  it('count as used until the end of the idle time, to a minute', async () => {
    const browser = new Browser(world);
    await browser.signIn(world.admin);
    move(29 * MINUTE_MS);
    expect(await browser.send('GET', USERS)).toMatchObject(ok);
    move(29 * MINUTE_MS);
    expect(await browser.send('GET', USERS)).toMatchObject(ok);
    move(30 * MINUTE_MS);
    expect(await browser.send('GET', USERS)).toMatchObject(unknown);
  });

  it('require another proof after five minutes', async () => {
    const browser = new Browser(world);
    await browser.signIn(world.admin);
    const order = () => browser.send('POST', ROLES, { body: { name: world.freshName('role'), scopes: [] } });
    move(5 * MINUTE_MS);
    expect(await order()).toMatchObject(ok);
    move(1);
    expect(await order()).toMatchObject(stepUpRequired);
    await browser.send('POST', STEP_UP, { body: { password: world.admin.password } });
    expect(await order()).toMatchObject(ok);
  });
});
