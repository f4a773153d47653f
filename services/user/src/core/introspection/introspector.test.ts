import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { loadConfig } from '@steward/config';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createIntrospector } from './introspector.ts';
import { readVerdict } from './verdict.ts';

const USER = 'urn:matrix:client:api:*';
const EXPECTED = { issuer: 'https://issuer', admin_scope: 'admin', localpart_claim: 'username', now: 5_000 };
const VALID = { active: true, token_type: 'Bearer', sub: 'subject', scope: USER };

it.each([
  ['is not active', { active: false }],
  ['says so in a text', { active: 'true' }],
  ['does not say what kind of token it is', { token_type: undefined }],
  ['is about a token that renews others', { token_type: 'refresh_token' }],
  ['is about a token of another kind, as some issuers say it', { token_type: undefined, typ: 'Refresh' }],
  ['is of another issuer', { iss: 'https://other' }],
  ['is about a token that has expired', { exp: 5 }],
  ['names no user', { sub: undefined }],
  ['names a user whom no external id can name', { sub: '..' }],
  ['names no scope of this server', { scope: 'openid' }],
  ['names a scope that only begins so', { scope: `${USER}x` }],
  ['has no list of scopes', { scope: [USER] }],
  ['names two devices', { scope: `${USER} urn:matrix:client:device:A urn:matrix:client:device:B` }],
])('an answer that %s counts for nothing', (_, change) => {
  expect(readVerdict({ ...VALID, ...change }, EXPECTED)).toBeUndefined();
});

it('an answer names user, device and scope', () => {
  const scope = 'admin urn:matrix:org.matrix.msc2967.client:device:PHONE';
  const answer = { ...VALID, scope, username: 'pat', name: 'Pat', exp: 6, iss: 'https://issuer' };
  expect(readVerdict(answer, EXPECTED)).toEqual({
    ...{ subject: 'subject', localpart: 'pat', displayName: 'Pat', deviceId: 'PHONE' },
    ...{ admin: true, expiresTs: 6_000 },
  });
});

/** Starts an issuer that answers as `reply` says, and what asks it. */
async function start(reply: (token: string) => object | undefined) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const token = new URLSearchParams(await text(request)).get('token') ?? '';
    asked.push(token);
    const body = reply(token);
    response.writeHead(body ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = {
    delegated_authentication: {
      ...{ enabled: true, issuer, introspection_endpoint: `${issuer}/introspect`, client_id: 'steward' },
      cache_ms: 60_000,
    },
    oidc: { allowed_addresses: ['127.0.0.1'] },
  };
  const config = loadConfig({ env: { STEWARD_CONFIG_OVERRIDES: JSON.stringify(settings) } });
  const clock = createFakeClock();
  const introspector = createIntrospector(config, clock);
  if (!introspector) throw new Error('There is no issuer');
  onTestFinished(async () => {
    await introspector.close();
    server.closeAllConnections();
    server.close();
  });
  return { asked, clock, introspector };
}

it('an answer is used for its time, that a token is not valid for ten seconds, and a failure never', async () => {
  let works = true;
  const { asked, clock, introspector } = await start((token) =>
    works ? { ...VALID, active: token === 'good' } : undefined,
  );
  const [one, other] = await Promise.all([introspector.ask('good'), introspector.ask('good')]);
  expect(one).toMatchObject({ subject: 'subject' });
  expect(other).toEqual(one);
  expect(await introspector.ask('bad')).toBeUndefined();
  expect(await introspector.ask('bad')).toBeUndefined();
  expect(asked).toEqual(['good', 'bad']);

  works = false;
  clock.advance(9_999);
  expect(await introspector.ask('bad')).toBeUndefined();
  clock.advance(1);
  await expect(introspector.ask('bad')).rejects.toMatchObject({ reason: 'unreachable' });
  expect(await introspector.ask('good')).toBeDefined();
  clock.advance(50_000);
  await expect(introspector.ask('good')).rejects.toMatchObject({ reason: 'unreachable' });
  works = true;
  expect(await introspector.ask('good')).toBeDefined();
});

it('an answer is not used after the token has expired', async () => {
  let exp = 0;
  const { asked, clock, introspector } = await start(() => ({ ...VALID, exp }));
  exp = Math.ceil(clock.now() / 1_000) + 2;
  expect(await introspector.ask('token')).toBeDefined();
  clock.advance(3_000);
  expect(await introspector.ask('token')).toBeUndefined();
  expect(asked).toHaveLength(2);
});

it('a token that is longer than any is refused without a question', async () => {
  const { asked, introspector } = await start(() => VALID);
  expect(await introspector.ask('x'.repeat(8_193))).toBeUndefined();
  expect(asked).toEqual([]);
});

it('no more than two hundred questions wait for an issuer', async () => {
  const { introspector } = await start(() => VALID);
  const tokens = Array.from({ length: 201 }, (_, index) => `token ${index}`);
  const results = await Promise.allSettled(tokens.map((token) => introspector.ask(token)));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(results.at(-1)).toMatchObject({ status: 'rejected', reason: { reason: 'slow' } });
});
