import { refuse } from '@steward/errors';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { HttpRequest } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { gatewayChapter } from './gateway-chapter.ts';

/** More than the largest body of a change of an account. */
const TOO_LARGE_BYTES = 64 * 1024 + 1;

gatewayChapter('0.4 Response headers', (gateway) => {
  const user = '/_service/admin/v2/users/@headers:test';

  beforeAll(() => {
    gateway.answer(AccountService.method.getUser, ({ userId }) => {
      throw refuse.notFound(`${userId} is not known`);
    });
    gateway.answer(AccountService.method.putUser, ({ userId, displayname = '' }) => {
      if (userId === '@taken:test') throw refuse.conflict('The external id is taken');
      return { user: { name: userId, displayname }, created: true };
    });
  });

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
    const reply = await gateway.http(verb, target, request(gateway.admin.token));
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-cache, no-store, must-revalidate',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
      'access-control-allow-headers':
        'X-Requested-With, Content-Type, Authorization, Date, X-Steward-Reason, Last-Event-ID, If-Match, X-Steward-Wait-For, Idempotency-Key',
    });
  });

  it('403 and 409', async () => {
    expect((await gateway.user().get(user)).headers['access-control-allow-origin']).toBe('*');
    const taken = '/_service/admin/v2/users/@taken:test';
    const conflict = await gateway.admin.put(taken, { body: {} });
    expect(conflict.status).toBe(409);
    expect(conflict.headers['access-control-allow-origin']).toBe('*');
  });

  describe('0.3 an error', () => {
    it('has an errcode and a text, and otherwise documented keys only', async () => {
      expect((await gateway.http('GET', user)).body).toEqual({
        errcode: 'M_MISSING_TOKEN',
        error: expect.stringMatching(/./),
      });
      expect((await gateway.http('GET', user, { token: 'nobody' })).body).toEqual({
        errcode: 'M_UNKNOWN_TOKEN',
        error: expect.stringMatching(/./),
        soft_logout: false,
      });
    });
  });

  it('non-ASCII text is sent as UTF-8', async () => {
    const displayname = 'Zoë \u2028 😀';
    const { body } = await gateway.admin.put(user, { body: { displayname } });
    expect(body.displayname).toBe(displayname);
  });
});
