import { describe, expect, it } from 'vitest';
import { refusal } from '../refusal.ts';
import { fill, served, shapeOf } from '../served.ts';
import { gatewayChapter } from './gateway-chapter.ts';

const ALL_VERBS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'];

/** Each served path with the verbs that it does not support. */
const unsupported = [...Map.groupBy(served, ({ template }) => shapeOf(template)).values()].flatMap(
  (endpoints) => {
    const verbs = new Set(endpoints.map(({ verb }) => verb));
    const target = fill(endpoints[0]?.template ?? '', (variable) => `a-${variable}`);
    const missing = ALL_VERBS.filter((verb) => !verbs.has(verb));
    if (!verbs.has('GET')) missing.push('HEAD');
    return missing.map((verb) => ({ verb, target }));
  },
);

gatewayChapter('0.1 Routing', (gateway) => {
  describe('an unknown path is refused before the token is checked', () => {
    it.each([
      ['GET', '/_service/admin'],
      ['GET', '/_service/admin/'],
      ['GET', '/_service/admin/v1'],
      ['GET', '/_service/admin/v1/nothing'],
      ['POST', '/_service/admin/v9/users'],
      ['GET', '/_SERVICE/admin/v1/register'],
      ['GET', '/_service/admin/V1/register'],
      ['GET', '/_service/admin//v1/register'],
      ['GET', '//_service/admin/v1/register'],
      ['GET', '/_service/adminv1/register'],
      ['GET', '/_service/admin/v1%2Fregister'],
      ['GET', '/_service/admin/v1/%72egister'],
      ['GET', '/_service/admin/v1/register/'],
      ['GET', '/_service/admin/v1/register/more'],
      ['GET', '/_service/admin/v1/../v1/register'],
      ['GET', '/_service/admin/v2/users/@a:test/'],
      ['PUT', '/_service/admin/v2/users/@a:test/nothing'],
      ['GET', '/_service/admin/v2/users/@a:test/devices/D/more'],
      ['POST', '/_service/admin/v1/deactivate'],
      ['POST', '/_service/admin/v1/deactivate/@a:test/more'],
      ['GET', '/_proto/client'],
      ['GET', '/_proto/client/nothing'],
      ['GET', '/_proto/client/v3/nothing'],
      ['GET', '/_proto/client/r0/versions'],
      ['GET', '/_proto/client/api/v1/login'],
      ['GET', '/_proto/media/v3/nothing'],
      ['GET', '/nothing'],
    ])('%s %s', async (verb, target) => {
      expect(await gateway.http(verb, target)).toMatchObject(refusal(404, 'M_UNRECOGNIZED'));
      expect(await gateway.admin.get(target)).toMatchObject(refusal(404, 'M_UNRECOGNIZED'));
    });
  });

  describe('an unsupported verb of a known path is refused before the token is checked', () => {
    it.each(unsupported)('$verb $target', async ({ verb, target }) => {
      const reply = await gateway.http(verb, target, { token: 'nobody' });
      expect(reply.status).toBe(405);
      if (verb !== 'HEAD') expect(reply).toMatchObject(refusal(405, 'M_UNRECOGNIZED'));
    });
  });

  it.each(['PROPFIND', 'REPORT', 'PURGE', 'QUERY'])('no path supports the verb %s', async (verb) => {
    expect(await gateway.http(verb, '/_service/admin/v2/users')).toMatchObject(
      refusal(405, 'M_UNRECOGNIZED'),
    );
    expect(await gateway.http(verb, '/_service/admin/v1/nothing')).toMatchObject(
      refusal(404, 'M_UNRECOGNIZED'),
    );
  });

  describe('HEAD is answered as GET is, without the body', () => {
    it.each([
      '/_service/admin/v2/users',
      '/_service/admin/v2/users/@nobody:test',
      '/_service/admin/v2/users/nobody',
      '/_service/admin/v1/username_available',
      '/_service/admin/v1/register',
      '/_service/admin/v1/nothing',
      '/_proto/client/versions',
      '/_proto/client/v3/account/whoami',
    ])('%s', async (target) => {
      for (const request of [{}, { token: gateway.admin.token }]) {
        const get = await gateway.http('GET', target, request);
        const head = await gateway.http('HEAD', target, request);
        expect(head.status).toBe(get.status);
        expect(head.text).toBe('');
        expect(head.headers['content-type']).toBe(get.headers['content-type']);
      }
    });
  });

  describe('OPTIONS is answered on any path, without a token', () => {
    it.each([
      '/_service/admin/v2/users/@a:test',
      '/_service/admin/v1/register',
      '/_service/admin/v1/nothing',
      '/_proto/client/v3/login',
      '/_proto/media/v3/nothing',
      '/_proto/client/v3/%ff',
      '/nothing',
      '/',
    ])('%s', async (target) => {
      const reply = await gateway.http('OPTIONS', target, { token: 'nobody' });
      expect(reply).toMatchObject({ status: 204, text: '' });
      expect(reply.headers).toMatchObject({
        'content-length': '0',
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
        'access-control-allow-headers':
          'X-Requested-With, Content-Type, Authorization, Date, X-Steward-Reason, Last-Event-ID, If-Match, X-Steward-Wait-For, Idempotency-Key',
      });
    });
  });
});
