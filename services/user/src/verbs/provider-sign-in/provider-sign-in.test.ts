import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { ConditionService } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { describe, expect, it } from 'vitest';
import { tokenDigest } from '../../core/model/token.ts';
import { APP, settingsOf, startProviderService, tokenOf } from '../../fixtures/provider-service.ts';
import {
  answerJson,
  newKey,
  type ScriptedProvider,
  signHs256,
  signRs256,
  startScriptedProvider,
  unsigned,
} from '../../fixtures/scripted-provider.ts';
import { heldEmail, idOf, seedAccount } from '../../fixtures/state.ts';
import { refusalOf } from '../../fixtures/test-service.ts';

describe('a sign-in with an identity provider', () => {
  it('leads to a session of the account with the external id, whose login token counts once and is stored as a digest', async () => {
    const { service, collections, sessions, begin, complete, provider, logIn } = await startProviderService();
    const userId = idOf('pat');
    await service.client(AccountService).putUser({
      userId,
      present: { paths: ['external_ids'] },
      externalIds: [{ authProvider: 'one', externalId: 'subject' }],
    });
    expect((await sessions.getLoginFlows({})).flows).toMatchObject([
      { type: 'm.login.password', identityProviders: [] },
      {
        type: 'm.login.sso',
        identityProviders: [
          { id: 'one', name: 'The one' },
          { id: 'two', name: 'The two' },
        ],
      },
      { type: 'm.login.token' },
    ]);
    const begun = await begin();
    expect(begun.headers['set-cookie']).toMatch(
      /^__Host-steward-sign-in=swb_[a-z2-7]{55}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(Object.fromEntries(new URL(begun.location).searchParams)).toMatchObject({
      redirect_uri: 'https://chat.example/_proto/client/v3/login/sso/callback/one',
      code_challenge_method: 'S256',
      response_type: 'code',
      scope: 'openid profile email',
      client_id: 'steward',
    });
    const answer = await complete(provider.decide(begun.location), begun.cookie);
    expect(answer.status).toBe(200);
    expect(answer.page).toContain('https://app.example');
    expect(answer.page).toContain('href="https://app.example/?loginToken=');
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; .*frame-ancestors 'none'/,
    );
    const token = tokenOf(answer);
    const stored = JSON.stringify([
      await (await collections.loginTokens.find({})).toArray(),
      await (await collections.providerSignIns.find({})).toArray(),
    ]);
    expect(stored).not.toContain(token);
    const session = await logIn(token, 'PHONE');
    expect(session).toMatchObject({ userId, deviceId: 'PHONE', homeServer: 'test' });
    const who = service.client(SessionService, { token: session.accessToken });
    expect(await who.whoAmI({})).toMatchObject({ userId, deviceId: 'PHONE' });
    expect(await refusalOf(logIn(token, 'PHONE'))).toBe('M_FORBIDDEN');
    expect(await who.whoAmI({})).toMatchObject({ userId });
    expect(await (await collections.loginTokens.find({})).toArray()).toEqual([]);
  });

  it('begins one session, however many requests use its login token at the same time', async () => {
    const { provider, collections, signIn, logIn } = await startProviderService({
      provider: { create: 'on' },
    });
    provider.claims.sub = 'other';
    const token = tokenOf(await signIn());
    const results = await Promise.all(
      Array.from({ length: 8 }, () =>
        logIn(token).then(
          () => 'session',
          () => 'refused',
        ),
      ),
    );
    expect(results.filter((result) => result === 'session')).toHaveLength(1);
    for (const kind of ['tokens', 'devices', 'storedSignIns'] as const)
      expect(await collections[kind].countDocuments({ user_id: idOf('pat') }), kind).toBe(1);
  });

  it('ends when its login token is two minutes old, and when the sessions of the user are ended', async () => {
    const { service, clock, signIn, logIn } = await startProviderService({ provider: { create: 'on' } });
    const [first, second, third] = [
      tokenOf(await signIn()),
      tokenOf(await signIn()),
      tokenOf(await signIn()),
    ];
    clock.advance(119_999);
    const { accessToken } = await logIn(first);
    clock.advance(1);
    expect(await refusalOf(logIn(second))).toBe('M_FORBIDDEN');
    const fourth = tokenOf(await signIn());
    await service.client(SessionService, { token: accessToken }).logoutAll({});
    for (const token of [third, fourth]) expect(await refusalOf(logIn(token))).toBe('M_FORBIDDEN');
  });

  it.each([
    ['off', undefined, 403, false],
    ['on', undefined, 200, true],
    ['approval', { registration: { enabled: true, require_approval: true } }, 403, true],
  ])('creates accounts as `create: %s` says', async (create, config, status, exists) => {
    const { signIn, collections } = await startProviderService({
      provider: { create },
      ...(config && { config }),
    });
    const answer = await signIn();
    expect(answer.status).toBe(status);
    const account = await collections.accounts.findOne({ _id: idOf('pat') });
    expect(account !== null).toBe(exists);
    if (!account) return;
    expect(account).toMatchObject({
      displayname: 'Pat',
      external_ids: [{ auth_provider: 'one', external_id: 'subject' }],
    });
    expect(account.awaits_approval ?? false).toBe(create === 'approval');
    if (create === 'approval') expect(answer.page).toContain('approv');
    expect((await signIn()).status).toBe(status);
    expect(await collections.accounts.countDocuments({})).toBe(1);
  });

  it.each([
    ['none', 403],
    ['verified_email', 200],
    ['localpart', 200],
  ])('links existing accounts as `link_by: %s` says', async (link_by, status) => {
    const { signIn, collections, provider } = await startProviderService({ provider: { link_by } });
    await seedAccount(collections, link_by === 'localpart' ? 'pat' : 'other', {
      threepids: [heldEmail('pat@example.org')],
    });
    provider.claims = { ...provider.claims, email: 'Pat@Example.ORG', email_verified: true };
    expect((await signIn()).status).toBe(status);
    const linked = await collections.accounts.findOne({ 'external_ids.key': '["one","subject"]' });
    expect(linked?._id).toBe(
      { none: undefined, verified_email: idOf('other'), localpart: idOf('pat') }[link_by],
    );
    // Another user of the provider does not get the account of the first one.
    provider.claims = { ...provider.claims, sub: 'another' };
    expect((await signIn()).status).toBe(403);
  });

  it('links no account by an address that the provider has not verified', async () => {
    const { signIn, collections, provider } = await startProviderService({
      provider: { link_by: 'verified_email' },
    });
    await seedAccount(collections, 'pat', { threepids: [heldEmail('pat@example.org')] });
    for (const email_verified of [false, 'true', undefined]) {
      provider.claims = { ...provider.claims, email: 'pat@example.org', email_verified };
      expect((await signIn()).status).toBe(403);
    }
  });

  it('links neither an account that acts for the server nor one that was deactivated', async () => {
    const { signIn, collections, provider } = await startProviderService({
      provider: { link_by: 'localpart' },
    });
    await seedAccount(collections, 'notices', { acts_for_server: true });
    await seedAccount(collections, 'gone', { deactivated: true });
    for (const preferred_username of ['notices', 'gone']) {
      provider.claims = { ...provider.claims, preferred_username };
      expect((await signIn()).status).toBe(403);
    }
  });

  it('is refused to a locked or deactivated account, also with a login token that it has, and not to a suspended or shadow-banned one', async () => {
    const { service, signIn, logIn, collections } = await startProviderService({
      provider: { create: 'on' },
    });
    const tokens = [tokenOf(await signIn()), tokenOf(await signIn())];
    const userId = idOf('pat');
    await service.client(ConditionService).suspend({ userId, suspend: true });
    await collections.accounts.updateOne({ _id: userId }, { $set: { shadow_banned: true } });
    expect(await logIn(tokens[0] ?? '')).toMatchObject({ userId });
    await service.client(AccountService).putUser({ userId, present: { paths: ['locked'] }, locked: true });
    expect(await refusalOf(logIn(tokens[1] ?? ''))).toBe('M_USER_LOCKED');
    const locked = await signIn();
    expect(locked).toMatchObject({ status: 401 });
    expect(locked.page).toContain('locked');
    await service.client(AccountService).deactivate({ userId, erase: false });
    const gone = await signIn();
    expect(gone).toMatchObject({ status: 403 });
    expect(gone.page).toContain('deactivated');
  });

  it('requires the configured values of claims', async () => {
    const { signIn, provider } = await startProviderService({
      provider: { create: 'on', required_claims: { groups: ['chat', 'staff'] } },
    });
    const statuses = [];
    for (const groups of [undefined, [], ['other'], 'staff', ['x', 'chat']]) {
      provider.claims = { ...provider.claims, groups };
      statuses.push((await signIn()).status);
    }
    expect(statuses).toEqual([403, 403, 403, 200, 200]);
  });

  it('updates the display name where that is configured', async () => {
    const { signIn, provider, collections } = await startProviderService({
      provider: { create: 'on', update_profile: true },
    });
    await signIn();
    provider.claims.name = 'Patricia';
    await signIn();
    expect(await collections.accounts.findOne({ _id: idOf('pat') })).toMatchObject({
      displayname: 'Patricia',
    });
  });

  it.each([
    ['external_ids', undefined],
    ['threepids', 'verified_email'],
  ])('gives no more rights than the caller had who set `%s`', async (field, link_by) => {
    const { service, signIn, logIn, collections, provider } = await startProviderService({
      provider: link_by ? { link_by } : {},
    });
    const userId = await seedAccount(collections, 'other');
    const scopes = [Scope.USERS_READ, Scope.USERS_WRITE, Scope.USERS_CREDENTIALS];
    const caller = { userId: idOf('mod'), owner: idOf('mod'), admin: false, scopes };
    const ids = {
      present: { paths: [field] },
      externalIds: field === 'external_ids' ? [{ authProvider: 'one', externalId: 'subject' }] : [],
      threepids: field === 'threepids' ? [{ medium: 'email', address: 'pat@example.org' }] : [],
    };
    await service.client(AccountService, caller).putUser({ userId, ...ids });
    // Tools send back the whole account, which does not widen what it has.
    await service.client(AccountService).putUser({ userId, ...ids });
    provider.claims = { ...provider.claims, email: 'pat@example.org', email_verified: true };
    await service.client(AccountService).putUser({ userId, admin: true });
    const { accessToken } = await logIn(tokenOf(await signIn()));
    const { rights_limit } = (await collections.tokens.findOne({ _id: tokenDigest(accessToken) })) ?? {};
    expect(rights_limit).toEqual(['users:read', 'users:write', 'users:credentials']);
    expect(
      await refusalOf(service.client(SessionService, { token: accessToken }).whoAmI({})),
    ).toBeUndefined();
    const look = { allowLocked: false, allowExpired: false };
    const { admin } = await service.service.authenticate(accessToken, look, undefined);
    expect(admin).toBe(false);
  });
});

describe('the app', () => {
  it('is refused before anything is stored if a sign-in cannot lead to it', async () => {
    const { begin, collections } = await startProviderService();
    const answer = await begin('javascript:alert(1)');
    expect(answer).toMatchObject({ status: 400, location: '' });
    expect(await collections.providerSignIns.countDocuments({})).toBe(0);
  });

  it('gets the result without a question if the settings name it', async () => {
    const { begin, complete, provider, logIn } = await startProviderService({
      provider: { create: 'on' },
      oidc: { redirect_allowlist: ['org.example.app:'] },
    });
    const { location, cookie } = await begin('org.example.app:/done');
    const answer = await complete(provider.decide(location), cookie);
    expect(answer.status).toBe(302);
    expect(await logIn(tokenOf(answer))).toMatchObject({ userId: idOf('pat') });
  });

  it('cannot write into the page that names it', async () => {
    const { begin, complete, provider } = await startProviderService({ provider: { create: 'on' } });
    const { location, cookie } = await begin(`https://app.example/?x="><script>alert(1)</script>`);
    const { page } = await complete(provider.decide(location), cookie);
    expect(page).not.toContain('<script');
  });
});

describe('an answer', () => {
  it('of another browser is refused, as is one without the cookie or with two of them', async () => {
    const { begin, complete, provider } = await startProviderService({ provider: { create: 'on' } });
    const [mine, other] = [await begin(), await begin()];
    const parameters = provider.decide(mine.location);
    for (const cookie of ['', other.cookie, `${mine.cookie}; ${other.cookie}`, `${mine.cookie}x`])
      expect((await complete(parameters, cookie)).status, cookie).toBe(400);
    expect((await complete(parameters, `a=b; ${mine.cookie}`)).status).toBe(200);
  });

  it('is accepted of two tabs of one browser', async () => {
    const { begin, complete, provider } = await startProviderService({ provider: { create: 'on' } });
    const first = await begin();
    const second = await begin(APP, first.cookie);
    expect(second.cookie).toBe(first.cookie);
    for (const { location, cookie } of [first, second])
      expect((await complete(provider.decide(location), cookie)).status).toBe(200);
  });

  it('counts once, with its code and state', async () => {
    const { begin, complete, provider } = await startProviderService({ provider: { create: 'on' } });
    const { location, cookie } = await begin();
    const parameters = provider.decide(location);
    expect((await complete(parameters, cookie)).status).toBe(200);
    expect((await complete(parameters, cookie)).status).toBe(400);
    // The code of a completed sign-in in another one.
    const next = await begin(APP, cookie);
    const replayed = new URLSearchParams(provider.decide(next.location));
    replayed.set('code', parameters.get('code') ?? '');
    const answer = await complete(replayed, cookie);
    expect(answer.status).toBe(400);
    expect(answer.page).toContain('Sign in again');
  });

  it('is refused after fifteen minutes', async () => {
    const { begin, complete, provider, clock } = await startProviderService({ provider: { create: 'on' } });
    const { location, cookie } = await begin();
    const parameters = provider.decide(location);
    clock.advance(15 * 60_000);
    expect((await complete(parameters, cookie)).status).toBe(400);
  });

  it('of another provider is refused, by its path and by its issuer', async () => {
    const { begin, complete, provider, other } = await startProviderService({ provider: { create: 'on' } });
    const { location, cookie } = await begin();
    const parameters = provider.decide(location);
    expect((await complete(parameters, cookie, 'two')).status).toBe(400);
    const mixed = new URLSearchParams(parameters);
    mixed.set('iss', other.issuer);
    expect((await complete(mixed, cookie)).status).toBe(502);
    const without = new URLSearchParams(parameters);
    without.delete('iss');
    expect((await complete(without, cookie)).status).toBe(502);
    expect(provider.requests).not.toContain('/token');
    expect(other.requests).toEqual([]);
  });

  it.each([
    ['access_denied', 'did not permit'],
    ['server_error', 'did not complete'],
    ['<script>', 'did not complete'],
  ])('with the error %s is a page that says so, once', async (error, text) => {
    const { begin, complete, provider } = await startProviderService();
    const { location, cookie } = await begin();
    const { searchParams } = new URL(location);
    const parameters = new URLSearchParams({
      state: searchParams.get('state') ?? '',
      error,
      iss: provider.issuer,
    });
    const answer = await complete(parameters, cookie);
    expect(answer.status).toBe(403);
    expect(answer.page).toContain(text);
    expect(answer.page).not.toContain('<script');
    expect((await complete(parameters, cookie)).status).toBe(400);
  });

  it('that no provider sends is refused, and no provider is asked', async () => {
    const { begin, complete, provider } = await startProviderService();
    const { cookie } = await begin();
    const malformed: readonly Record<string, string>[] = [
      {},
      { state: 'x' },
      { code: 'x' },
      { state: 'x', code: 'y' },
      { state: 'x', code: 'y', error: 'z' },
      { state: '\0\ud800', code: '%' },
      { state: 'x'.repeat(8_193), code: 'y' },
    ];
    for (const parameters of malformed)
      expect((await complete(new URLSearchParams(parameters), cookie)).status).toBe(400);
    expect(provider.requests).toEqual(['/.well-known/openid-configuration']);
  });
});

describe('a provider', () => {
  type Lie = (provider: ScriptedProvider) => void;
  const token =
    (change: (claims: Record<string, unknown>) => Record<string, unknown>): Lie =>
    (provider) => {
      provider.changeToken = change;
    };
  const nowS = () => Math.floor(Date.now() / 1_000);
  it.each<[string, Lie]>([
    ['another nonce', token((claims) => ({ ...claims, nonce: 'other' }))],
    ['no nonce', token(({ nonce: _, ...claims }) => claims)],
    ['another issuer', token((claims) => ({ ...claims, iss: 'https://other.example' }))],
    ['another audience', token((claims) => ({ ...claims, aud: 'other' }))],
    ['several audiences and no authorized party', token((claims) => ({ ...claims, aud: ['steward', 'x'] }))],
    ['a token that expired before the permitted skew', token((claims) => ({ ...claims, exp: nowS() - 60 }))],
    ['a token of the future', token((claims) => ({ ...claims, nbf: nowS() + 600 }))],
    [
      'an unsigned token',
      (provider) => {
        provider.signToken = unsigned;
      },
    ],
    [
      'a token signed with the public key as the secret',
      (provider) => {
        const pem = provider.key.publicKey.export({ type: 'spki', format: 'pem' }) as string;
        provider.signToken = (claims) => signHs256(claims, pem, provider.key.kid);
      },
    ],
    [
      'a token signed with an unpublished key',
      (provider) => {
        const key = { ...newKey(), kid: provider.key.kid };
        provider.signToken = (claims) => signRs256(claims, key);
      },
    ],
    [
      'a token signed with an unpublished key of another id',
      (provider) => {
        const key = newKey();
        provider.signToken = (claims) => signRs256(claims, key);
      },
    ],
    [
      'a token that is none',
      (provider) => {
        provider.signToken = () => 'x.y.z';
      },
    ],
  ])('that answers with %s is not believed', async (_, lie) => {
    const { signIn, provider, collections } = await startProviderService({ provider: { create: 'on' } });
    lie(provider);
    expect((await signIn()).status).toBe(502);
    expect(await collections.accounts.countDocuments({})).toBe(0);
  });

  it('may have a clock that differs by as much as is configured', async () => {
    const { signIn, provider } = await startProviderService({
      provider: { create: 'on', clock_skew_ms: 120_000 },
    });
    provider.changeToken = (claims) => ({ ...claims, exp: nowS() - 100, nbf: nowS() + 100 });
    expect((await signIn()).status).toBe(200);
  });

  it('may change its keys between two sign-ins', async () => {
    const { signIn, provider } = await startProviderService({ provider: { create: 'on' } });
    expect((await signIn()).status).toBe(200);
    provider.key = newKey();
    expect((await signIn()).status).toBe(200);
  });

  it('is described anew after a failure, which is a page', async () => {
    const { begin, provider } = await startProviderService();
    provider.answerInstead = (_, response) => {
      response.destroy();
      return true;
    };
    const failed = await begin();
    expect(failed.status).toBe(502);
    expect(failed.page).toContain('cannot be reached');
    provider.answerInstead = () => false;
    expect((await begin()).status).toBe(302);
  });

  it.each([
    ['an error of its own', 500, 502],
    ['a refusal of the client', 401, 502],
  ])('that answers with %s is reported in a page', async (_, status, expected) => {
    const { signIn, provider } = await startProviderService();
    provider.answerInstead = (path, response) => {
      if (path !== '/token') return false;
      answerJson(response, status, { error: 'invalid_client' });
      return true;
    };
    expect((await signIn()).status).toBe(expected);
  });

  it('that does not answer in time is reported in a page', async () => {
    const { signIn, provider } = await startProviderService({ oidc: { timeout_ms: 300 } });
    provider.answerInstead = (path) => path === '/token';
    const answer = await signIn();
    expect(answer.status).toBe(504);
    expect(answer.page).toContain('did not answer in time');
  });

  it.each<[string, Lie]>([
    [
      'redirects',
      (provider) => {
        provider.answerInstead = (_, response) => {
          response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
          return true;
        };
      },
    ],
    [
      'describes another issuer',
      (provider) => {
        provider.description.issuer = 'https://other.example';
      },
    ],
    [
      'describes nothing',
      (provider) => {
        provider.description = {};
      },
    ],
    [
      'answers with text',
      (provider) => {
        provider.answerInstead = (_, response) => {
          response.end('hello');
          return true;
        };
      },
    ],
    [
      'answers without an end',
      (provider) => {
        provider.answerInstead = (_, response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"x":"');
          response.write('x'.repeat(100_000));
          return true;
        };
      },
    ],
  ])('that %s is not used', async (_, lie) => {
    const { begin, provider } = await startProviderService();
    lie(provider);
    expect((await begin()).status).toBe(502);
  });

  it('that names an address inside is not followed', async () => {
    const { signIn, provider } = await startProviderService({ provider: { create: 'on' } });
    provider.description = { ...provider.description, jwks_uri: 'http://169.254.169.254/keys' };
    expect((await signIn()).status).toBe(502);
  });

  it('is asked where the settings say, if they name its endpoints', async () => {
    const provider = await startScriptedProvider();
    const endpoints = {
      authorization_endpoint: `${provider.issuer}/authorize`,
      token_endpoint: `${provider.issuer}/token`,
      jwks_uri: `${provider.issuer}/keys`,
    };
    const { begin, complete } = await startProviderService({
      oidc: { providers: [{ ...settingsOf(provider, 'one'), ...endpoints, create: 'on' }] },
    });
    const { location, cookie } = await begin(APP, '', '');
    expect((await complete(provider.decide(location), cookie)).status).toBe(200);
    expect(provider.requests).toEqual(['/token', '/keys']);
  });

  it('is chosen by the user where there are several', async () => {
    const { begin } = await startProviderService();
    const answer = await begin(APP, '', '');
    expect(answer.status).toBe(200);
    expect(answer.page).toContain(
      'href="/_proto/client/v3/login/sso/redirect/two?redirectUrl=https%3A%2F%2Fapp.example%2F%23%2Fhome"',
    );
    expect((await begin(APP, '', 'three')).status).toBe(404);
  });
});

it('the beginning of sign-ins is limited by address, and their end as logins are', async () => {
  const { begin, complete, provider } = await startProviderService({
    provider: { create: 'on' },
    config: {
      rate_limits: {
        enabled: true,
        challenge: { per_second: 0.001, burst: 4 },
        login_address: { per_second: 0.001, burst: 2 },
      },
    },
  });
  const statuses = [];
  for (let count = 0; count < 4; count++) {
    const { location, cookie } = await begin();
    statuses.push((await complete(provider.decide(location), cookie)).status);
  }
  expect(statuses).toEqual([200, 200, 429, 429]);
  expect((await begin()).status).toBe(429);
});
