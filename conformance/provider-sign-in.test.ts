import { afterAll, describe, expect, it } from 'vitest';
import { ownChapter } from './chapter.ts';
import { openFixedAddress } from './fixed-address.ts';
import { startIdentityProvider } from './identity-provider.ts';
import { type Page, PageVisitor } from './page-visitor.ts';
import { refusal } from './refusal.ts';

const APP = 'https://app.example/#/welcome';
const isApp = ({ origin }: URL) => origin === 'https://app.example';
const LOGIN = '/_proto/client/v3/login';
const SESSION = '/_service/admin/v1/session';
const FEED = '/_service/admin/v1/events';

let port = 0;
const address = await openFixedAddress(() => port);
const CONSOLE_SIGN_IN = `${SESSION}/oidc`;
/** The groups of users at the provider. */
const groups = new Map<string, readonly string[]>();
const provider = await startIdentityProvider(
  [`${address.origin}${LOGIN}/sso/callback/real`, `${address.origin}${CONSOLE_SIGN_IN}/real/callback`],
  (name) => groups.get(name) ?? [],
);
afterAll(async () => {
  await provider.close();
  await address.close();
});

const settings = {
  server: { public_baseurl: address.origin },
  oidc: {
    allowed_addresses: ['127.0.0.1'],
    providers: [
      {
        id: 'real',
        name: 'A real provider',
        issuer: provider.issuer,
        client_id: 'steward',
        client_secret_file: provider.secretFile,
        create: 'on',
        link_by: 'verified_email',
        roles_claim: 'groups',
        roles: { mods: 'moderator' },
      },
    ],
  },
};

/** Signs in at the provider, and permits it to tell who that is. */
async function passProvider(
  visitor: PageVisitor,
  page: Page,
  name: string,
  isEnd: (url: URL) => boolean = isApp,
): Promise<Page> {
  const actionOf = ({ text, url }: Page) => new URL(/action="([^"]+)"/.exec(text)?.[1] ?? '', url).href;
  const form = new URLSearchParams({ prompt: 'login', login: name, password: 'any' });
  const consent = await visitor.open(actionOf(page), isEnd, form);
  return visitor.open(actionOf(consent), isEnd, new URLSearchParams({ prompt: 'consent' }));
}

const isConsole = ({ pathname }: URL) => pathname === '/_service/console/';

const start = (redirectUrl = APP) =>
  `${address.origin}${LOGIN}/sso/redirect/real?${new URLSearchParams({ redirectUrl })}`;

/** The login token in the page that asks whether the app may have it. */
function tokenOf({ text }: Page): string {
  const href = /class="go" href="([^"]*)"/.exec(text)?.[1] ?? '';
  return new URL(href.replaceAll('&amp;', '&')).searchParams.get('loginToken') ?? '';
}

ownChapter(
  'Sign-in with an identity provider',
  (world) => {
    const usePort = () => {
      port = Number(new URL(world.running.url).port);
    };
    const logIn = (token: string) =>
      world.http('POST', LOGIN, { body: { type: 'm.login.token', token, device_id: 'PHONE' } });

    it('creates an account at the first sign-in of a user, and leads to the same one later', async () => {
      usePort();
      expect((await world.http('GET', LOGIN)).body).toEqual({
        flows: [
          { type: 'm.login.password' },
          { type: 'm.login.sso', identity_providers: [{ id: 'real', name: 'A real provider' }] },
          { type: 'm.login.token' },
        ],
      });
      const name = world.freshName();
      for (const visitor of [new PageVisitor(), new PageVisitor()]) {
        const page = await passProvider(visitor, await visitor.open(start(), isApp), name);
        expect(page).toMatchObject({ status: 200 });
        expect(page.text).toContain('https://app.example');
        const token = tokenOf(page);
        const session = await logIn(token);
        const userId = `@${name}:${world.serverName}`;
        expect(session).toMatchObject({ status: 200, body: { user_id: userId, device_id: 'PHONE' } });
        expect(await logIn(token)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
        const { access_token } = session.body as { access_token: string };
        const who = await world.http('GET', '/_proto/client/v3/account/whoami', { token: access_token });
        expect(who).toMatchObject({ status: 200, body: { user_id: userId, device_id: 'PHONE' } });
        const sync = await world.http('GET', '/_proto/client/v3/sync', { token: access_token });
        expect(sync.status).toBe(200);
        const found = await world.admin.get(`/_service/admin/v1/auth_providers/real/users/${name}`);
        expect(found.body).toEqual({ user_id: userId });
        const user = await world.admin.get(`/_service/admin/v2/users/${userId}`);
        expect(user.body).toMatchObject({
          displayname: `The user ${name}`,
          external_ids: [{ auth_provider: 'real', external_id: name }],
        });
      }
    });

    it('authenticates the operation of an app by a new sign-in of its user', async () => {
      usePort();
      const name = world.freshName();
      const visitor = new PageVisitor();
      const token = tokenOf(await passProvider(visitor, await visitor.open(start(), isApp), name));
      const { access_token } = (await logIn(token)).body as { access_token: string };
      const remove = (auth?: object) =>
        world.http('DELETE', '/_proto/client/v3/devices/PHONE', {
          token: access_token,
          body: auth ? { auth } : {},
        });
      const challenge = await remove();
      expect(challenge).toMatchObject({ status: 401, body: { flows: [{ stages: ['m.login.sso'] }] } });
      const { session } = challenge.body as { session: string };
      expect(await remove({ session })).toMatchObject({ status: 401 });
      const query = new URLSearchParams({ session });
      const fallback = `${address.origin}/_proto/client/v3/auth/m.login.sso/fallback/web?${query}`;
      const asked = await visitor.open(fallback, isApp);
      expect(asked.text).toContain('remove the device PHONE');
      const href = /class="go" href="([^"]*)"/.exec(asked.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const done = await passProvider(visitor, await visitor.open(`${address.origin}${href}`, isApp), name);
      expect(done).toMatchObject({ status: 200 });
      expect(done.text).toContain('authDone');
      expect(await remove({ session })).toMatchObject({ status: 200 });
      expect((await remove({ session })).status).toBe(401);
    });

    it('gets the account with the address of the user', async () => {
      usePort();
      const name = world.freshName();
      const userId = await world.account('linked', {
        threepids: [{ medium: 'email', address: `${name}@people.example` }],
      });
      const visitor = new PageVisitor();
      const page = await passProvider(visitor, await visitor.open(start(), isApp), name);
      expect(await logIn(tokenOf(page))).toMatchObject({ status: 200, body: { user_id: userId } });
    });

    it('begins a session of the console with the roles of the claim, and the next one takes them away again', async () => {
      usePort();
      const name = world.freshName();
      const userId = `@${name}:${world.serverName}`;
      const listed = await world.http('GET', CONSOLE_SIGN_IN);
      expect(listed.body).toEqual({ passkeys: false, providers: [{ id: 'real', name: 'A real provider' }] });
      const since = (await world.admin.get<{ latest: number }>(FEED, { query: { limit: 0 } })).body.latest;
      /** Signs in to the console in a new browser. */
      const signIn = async (query = '') => {
        const visitor = new PageVisitor();
        const atProvider = await visitor.open(`${address.origin}${CONSOLE_SIGN_IN}/real${query}`, isConsole);
        const { location = '' } = await passProvider(visitor, atProvider, name, isConsole);
        return {
          login_token: new URL(location).hash.split('=')[1] ?? '',
          cookie: visitor.cookiesFor(address.origin),
        };
      };
      const open = ({ login_token, cookie }: Awaited<ReturnType<typeof signIn>>) =>
        world.http('POST', SESSION, { body: { login_token }, headers: { cookie, origin: address.origin } });

      groups.set(name, ['mods', 'others']);
      const proof = await signIn();
      const session = await open(proof);
      expect(session).toMatchObject({
        status: 200,
        body: { user_id: userId, roles: ['moderator'], session: { provider: 'real', proved_ts: null } },
      });
      expect(await open(proof)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      const [cookie = ''] = String(session.headers['set-cookie']).split(';');
      const inSession = { cookie, origin: address.origin };
      expect((await world.http('GET', SESSION, { headers: inSession })).status).toBe(200);
      const again = await signIn('?step_up=true');
      const body = { login_token: again.login_token };
      const headers = { ...inSession, cookie: `${cookie}; ${again.cookie}` };
      const proved = await world.http('POST', `${SESSION}/step_up`, { body, headers });
      expect(proved.body).toMatchObject({ session: { proved_ts: expect.any(Number) } });

      groups.delete(name);
      expect(await open(await signIn())).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      expect((await world.http('GET', SESSION, { headers: inSession })).status).toBe(401);

      const events = await world.admin.get<{ events: { type: string; actor: string; data: object }[] }>(
        FEED,
        {
          query: { after: since },
        },
      );
      expect(
        events.body.events
          .filter(({ actor, type }) => actor === userId && type === 'account.roles_set')
          .map(({ data }) => data),
      ).toMatchObject([
        { user_id: userId, provider: 'real', roles: ['moderator'] },
        { user_id: userId, provider: 'real', roles: [] },
      ]);
      const entries = async () => {
        const log = await world.admin.get<{ entries: { request: object; outcome: string }[] }>(
          '/_service/admin/v1/audit_log',
          { query: { actor: userId, action: 'user.create_admin_session' } },
        );
        return log.body.entries.map(({ request, outcome }) => ({ ...request, outcome }));
      };
      // The answer to a refused call does not wait for its entry.
      await expect.poll(entries).toMatchObject([
        { provider: 'real', roles: [], outcome: 'refused' },
        { provider: 'real', roles: ['moderator'], outcome: 'ok' },
      ]);
    });

    it('goes on when the server is restarted at each step', async () => {
      usePort();
      const name = world.freshName();
      const visitor = new PageVisitor();
      const atProvider = await visitor.open(start(), isApp);
      await world.restart({ config: settings });
      usePort();
      const page = await passProvider(visitor, atProvider, name);
      expect(page.status).toBe(200);
      await world.restart({ config: settings });
      usePort();
      expect(await logIn(tokenOf(page))).toMatchObject({ status: 200 });
    });

    it('ends in a page when the user does not permit it, and when the answer is opened elsewhere or again', async () => {
      usePort();
      const visitor = new PageVisitor();
      const page = await visitor.open(start(), isApp);
      const denied = await visitor.open(`${page.url}/abort`, isApp);
      expect(denied).toMatchObject({ status: 403 });
      expect(denied.text).toContain('did not permit the sign-in');
      const again = await visitor.open(denied.url, isApp);
      expect(again.status).toBe(400);
      expect(again.text).toContain('This browser did not begin this sign-in');
    });

    it.each([
      ['', 400, 'M_MISSING_PARAM'],
      ['logout_token=', 400, 'M_INVALID_PARAM'],
      ['logout_token=a.b.c', 400, 'M_INVALID_PARAM'],
      [`logout_token=${'x'.repeat(70_000)}`, 413, 'M_TOO_LARGE'],
    ])('refuses the logout %.20s', async (form, status, errcode) => {
      usePort();
      const answer = await fetch(`${address.origin}${LOGIN}/sso/logout/real`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form,
      });
      expect({ status: answer.status, body: await answer.json() }).toMatchObject(refusal(status, errcode));
    });

    describe('refuses what no client sends', () => {
      it.each([
        ['no app', '/sso/redirect/real', 400],
        ['a script as the app', '/sso/redirect/real?redirectUrl=javascript%3Aalert(1)', 400],
        [
          'a header in the address of the app',
          '/sso/redirect/real?redirectUrl=https%3A%2F%2Fa%0D%0ASet-Cookie%3Ax',
          400,
        ],
        ['an unknown provider', '/sso/redirect/other?redirectUrl=https%3A%2F%2Fa', 404],
        ['an unknown provider that answers', '/sso/callback/other?state=x&code=y', 400],
        ['an answer without anything', '/sso/callback/real', 400],
        ['an answer in another encoding than UTF-8', '/sso/callback/real?state=%ff&code=%fe', 400],
        ['an answer twice', '/sso/callback/real?state=x&state=y&code=z', 400],
      ])('such as %s', async (_, path, status) => {
        const answer = await world.http('GET', `${LOGIN}${path}`, {
          headers: { cookie: 'steward-sign-in=%ff; =;' },
        });
        expect(answer.status).toBe(status);
        expect(answer.headers.location).toBeUndefined();
        expect(answer.headers['set-cookie']).toBeUndefined();
      });

      it.each([
        [{}, 400, 'M_INVALID_PARAM'],
        [{ token: 1 }, 400, 'M_INVALID_PARAM'],
        [{ token: 'x'.repeat(513) }, 400, 'M_INVALID_PARAM'],
        [{ token: '' }, 403, 'M_FORBIDDEN'],
        [{ token: 'guess' }, 403, 'M_FORBIDDEN'],
      ])('such as the login %j', async (body, status, errcode) => {
        const answer = await world.http('POST', LOGIN, { body: { type: 'm.login.token', ...body } });
        expect(answer).toMatchObject(refusal(status, errcode));
      });
    });
  },
  { config: settings },
);
