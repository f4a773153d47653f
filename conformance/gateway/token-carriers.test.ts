import { describe, expect, it } from 'vitest';
import { refusal } from '../refusal.ts';
import { gatewayChapter } from './gateway-chapter.ts';

const USERS = '/_service/admin/v2/users';
const WHOAMI = '/_proto/client/v3/account/whoami';

const missing = refusal(401, 'M_MISSING_TOKEN');
const unknown = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });

gatewayChapter('0.2 Carriers of the token', (gateway) => {
  describe('before the body is read', () => {
    const target = '/_service/admin/v1/send_server_notice/1';
    const notice = { user_id: '@user:test', content: { body: 'x'.repeat(200_000) } };
    const large = Buffer.from(JSON.stringify(notice));
    const oversized = Buffer.alloc(14 * 1024 * 1024, 0x20);

    it.each([large, oversized])('a caller without a token is refused', async (rawBody) => {
      expect(await gateway.http('PUT', target, { rawBody })).toMatchObject(missing);
    });

    it.each([large, oversized])('a caller who is unknown or lacks the right is refused', async (rawBody) => {
      expect(await gateway.http('PUT', target, { rawBody, token: 'nobody' })).toMatchObject(unknown);
      const { token } = gateway.user();
      expect(await gateway.http('PUT', target, { rawBody, token })).toMatchObject(
        refusal(403, 'M_FORBIDDEN'),
      );
    });

    it('an administrator is admitted', async () => {
      const { token } = gateway.admin;
      expect(await gateway.http('PUT', target, { rawBody: large, token })).toMatchObject({ status: 200 });
    });
  });

  it('a token longer than the limit is unknown, whatever its characters', async () => {
    for (const token of ['x'.repeat(513), '"'.repeat(30_000)]) {
      expect(await gateway.http('GET', WHOAMI, { token })).toMatchObject(unknown);
    }
    const headers = { 'user-agent': '"'.repeat(30_000) };
    const { token } = gateway.admin;
    expect(await gateway.http('GET', WHOAMI, { token, headers })).toMatchObject({ status: 200 });
  });

  describe.each([USERS, WHOAMI])('carriers of the token of %s', (target) => {
    it('no token', async () => {
      expect(await gateway.http('GET', target)).toMatchObject(missing);
    });

    it('the header', async () => {
      expect(await gateway.http('GET', target, { token: gateway.admin.token })).toMatchObject({
        status: 200,
      });
    });

    it('the name of the header in any case', async () => {
      const headers = { AUTHORIZATION: `Bearer ${gateway.admin.token}` };
      expect(await gateway.http('GET', target, { headers })).toMatchObject({ status: 200 });
    });

    it('the query', async () => {
      const query = { access_token: gateway.admin.token };
      expect(await gateway.http('GET', target, { query })).toMatchObject({ status: 200 });
    });

    it('the query, encoded', async () => {
      const query = `access%5Ftoken=%${gateway.admin.token.charCodeAt(0).toString(16)}${gateway.admin.token.slice(1)}`;
      expect(await gateway.http('GET', target, { query })).toMatchObject({ status: 200 });
    });

    it('of several in the query, the first', async () => {
      const good = { access_token: [gateway.admin.token, 'nobody'] };
      expect(await gateway.http('GET', target, { query: good })).toMatchObject({ status: 200 });
      const bad = { access_token: ['nobody', gateway.admin.token] };
      expect(await gateway.http('GET', target, { query: bad })).toMatchObject(unknown);
    });

    it('an empty token in the query', async () => {
      expect(await gateway.http('GET', target, { query: 'access_token=' })).toMatchObject(unknown);
      expect(await gateway.http('GET', target, { query: 'access_token' })).toMatchObject(unknown);
    });

    it('header and query', async () => {
      const { token } = gateway.admin;
      expect(await gateway.http('GET', target, { token, query: { access_token: token } })).toMatchObject(
        missing,
      );
      expect(await gateway.http('GET', target, { token, query: 'access_token=' })).toMatchObject(missing);
    });

    it('two headers', async () => {
      const bearer = `Bearer ${gateway.admin.token}`;
      const headers = { authorization: [bearer, bearer] };
      expect(await gateway.http('GET', target, { headers })).toMatchObject(missing);
    });

    it.each([
      ['another scheme', (token: string) => `Basic ${token}`],
      ['the scheme in lower case', (token: string) => `bearer ${token}`],
      ['the scheme in upper case', (token: string) => `BEARER ${token}`],
      ['no scheme', (token: string) => token],
      ['the scheme alone', () => 'Bearer'],
      ['two spaces', (token: string) => `Bearer  ${token}`],
      ['a tab', (token: string) => `Bearer\t${token}`],
      ['a third part', (token: string) => `Bearer ${token} more`],
      ['two tokens', (token: string) => `Bearer ${token}, Bearer ${token}`],
      ['nothing', () => ''],
    ])('a header with %s', async (_, header) => {
      const headers = { authorization: header(gateway.admin.token) };
      expect(await gateway.http('GET', target, { headers })).toMatchObject(missing);
    });

    it.each(['nobody', 'x'.repeat(10_000), '%00', 'ü'])('an unknown token', async (token) => {
      expect(await gateway.http('GET', target, { query: { access_token: token } })).toMatchObject(unknown);
    });
  });
});
