import { type HttpRequest, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';

/** More than the largest body that is accepted. */
const TOO_LARGE_BYTES = 13 * 1024 * 1024;

chapter('0.4 Response headers', (world) => {
  const user = '/_service/admin/v2/users/@headers:test';
  const answers: [number, string, string, (token: string) => HttpRequest][] = [
    [200, 'GET', '/_service/admin/v2/users', (token) => ({ token })],
    [200, 'GET', '/_service/admin/v1/register', () => ({})],
    [200, 'GET', '/_proto/client/versions', () => ({})],
    [201, 'PUT', user, (token) => ({ token, body: { external_ids: [] } })],
    [400, 'PUT', user, (token) => ({ token, rawBody: '' })],
    [400, 'PUT', user, (token) => ({ token, rawBody: 'no JSON' })],
    [401, 'GET', user, () => ({})],
    [401, 'GET', user, () => ({ token: 'nobody' })],
    [404, 'GET', '/_service/admin/v2/users/@nobody:test', (token) => ({ token })],
    [404, 'GET', '/_service/admin/v1/nothing', () => ({})],
    [404, 'GET', '/_proto/client/nothing', () => ({})],
    [405, 'DELETE', '/_service/admin/v2/users', () => ({})],
    [413, 'PUT', user, (token) => ({ token, rawBody: Buffer.alloc(TOO_LARGE_BYTES, ' ') })],
  ];

  it.each(answers)('%i %s %s', async (status, verb, target, request) => {
    const reply = await world.http(verb, target, request(world.admin.token));
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-cache, no-store, must-revalidate',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
      'access-control-allow-headers': 'X-Requested-With, Content-Type, Authorization, Date',
    });
  });

  it('403 and 409', async () => {
    const plain = await world.user();
    expect((await plain.get(user)).headers['access-control-allow-origin']).toBe('*');
    const external_ids = [{ auth_provider: 'p', external_id: world.freshName() }];
    await world.account('holder', { external_ids });
    const taken = path`/_service/admin/v2/users/${await world.account()}`;
    const conflict = await world.admin.put(taken, { body: { external_ids } });
    expect(conflict.status).toBe(409);
    expect(conflict.headers['access-control-allow-origin']).toBe('*');
  });

  describe('0.3 an error', () => {
    it('holds an errcode and a text, and nothing else that is not documented', async () => {
      expect((await world.http('GET', user)).body).toEqual({
        errcode: 'M_MISSING_TOKEN',
        error: expect.stringMatching(/./),
      });
      expect((await world.http('GET', user, { token: 'nobody' })).body).toEqual({
        errcode: 'M_UNKNOWN_TOKEN',
        error: expect.stringMatching(/./),
        soft_logout: false,
      });
    });
  });

  it('text beyond ASCII arrives as UTF-8', async () => {
    const displayname = 'Zoë \u2028 😀';
    const { body } = await world.admin.put(path`/_service/admin/v2/users/${await world.account()}`, {
      body: { displayname },
    });
    expect(body.displayname).toBe(displayname);
  });
});
