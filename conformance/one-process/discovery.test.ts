import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { claimedEndpoints } from '../claimed-endpoints.ts';
import { refusal } from '../refusal.ts';
import { served, shapeOf } from '../served.ts';

const CONFIG = {
  server: { public_baseurl: 'https://chat.example.org' },
  support: {
    contacts: [
      { matrix_id: '@admin:test' },
      { email_address: 'security@example.org', role: 'm.role.security' },
    ],
    page: 'https://example.org/help',
  },
};

chapter(
  '7.1 Discovery',
  (world) => {
    it('publishes the URL of the server', async () => {
      const { status, body, headers } = await world.http('GET', '/.well-known/matrix/client');
      expect({ status, body }).toEqual({
        status: 200,
        body: { 'm.homeserver': { base_url: 'https://chat.example.org' } },
      });
      expect(headers['access-control-allow-origin']).toBe('*');
    });

    it('publishes the contacts', async () => {
      expect(await world.http('GET', '/.well-known/matrix/support')).toMatchObject({
        status: 200,
        body: {
          contacts: [
            { matrix_id: '@admin:test', role: 'm.role.admin' },
            { email_address: 'security@example.org', role: 'm.role.security' },
          ],
          support_page: 'https://example.org/help',
        },
      });
    });

    it('publishes the name and the address of the server for existing tools', async () => {
      expect((await world.http('GET', '/.well-known/matrix/server')).body).toEqual({
        'm.server': 'chat.example.org:443',
      });
    });

    it.each(['/_proto/key/v2/server', '/_matrix/key/v2/server'])(
      'publishes the name of the server at %s, with any token',
      async (target) => {
        for (const request of [{}, { token: 'unknown' }]) {
          const { status, body } = await world.http('GET', target, request);
          expect({ status, body }).toEqual({
            status: 200,
            body: {
              server_name: 'test',
              verify_keys: {},
              old_verify_keys: {},
              valid_until_ts: expect.any(Number),
              signatures: {},
            },
          });
        }
        expect(await world.http('POST', target)).toMatchObject(refusal(405, 'M_UNRECOGNIZED'));
      },
    );

    it('publishes its version as servers that federate do, to everyone', async () => {
      const target = '/_matrix/federation/v1/version';
      for (const request of [{}, { token: 'unknown' }]) {
        expect(await world.http('GET', target, request)).toMatchObject({
          status: 200,
          text: '{"server":{"name":"steward","version":"0.2.0"}}',
        });
      }
      expect(await world.http('POST', target)).toMatchObject(refusal(405, 'M_UNRECOGNIZED'));
      expect(await world.http('GET', '/_matrix/federation/v1/send')).toMatchObject(
        refusal(404, 'M_UNRECOGNIZED'),
      );
    });

    it('tells programs whose OpenID token they have', async () => {
      const [ann, ben] = [await world.user(), await world.user()];
      const path = `/_proto/client/v3/user/${ann.userId}/openid/request_token`;
      expect(await ben.post(path, {})).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      const { status, body } = await ann.post(path, {});
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          access_token: expect.any(String),
          token_type: 'Bearer',
          matrix_server_name: 'test',
          expires_in: 3600,
        },
      });
      const { access_token: token } = body as { access_token: string };
      const about = (query: string) => world.http('GET', `/_matrix/federation/v1/openid/userinfo${query}`);
      expect(await about(`?access_token=${token}`)).toMatchObject({ status: 200, body: { sub: ann.userId } });
      expect(await about('')).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      expect(await about(`?access_token=${ann.token}`)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
      expect(await world.http('GET', '/_proto/client/v3/account/whoami', { token })).toMatchObject(
        refusal(401, 'M_UNKNOWN_TOKEN'),
      );
    });

    it('claims versions of the client API whose endpoints it serves', async () => {
      const { versions } = (await world.http<{ versions: string[] }>('GET', '/_proto/client/versions')).body;
      const key = (verb: string, template: string) => `${verb} ${shapeOf(template)}`;
      const bound = new Set(served.map(({ verb, template }) => key(verb, template)));
      const missing = claimedEndpoints
        .filter(({ chapter: version }) => versions.includes(version))
        .map(({ verb, path }) => key(verb, path))
        .filter((endpoint) => !bound.has(endpoint));
      expect(missing).toEqual([]);
      // The table ends here: a further version is claimed together with its endpoints.
      expect(versions.at(-1)).toBe('v1.11');
    });

    it('says that everyone is offline, because presence is off', async () => {
      const [ann, ben] = [await world.user(), await world.user()];
      const status = `/_proto/client/v3/presence/${ann.userId}/status`;
      expect(await ann.put(status, { body: { presence: 'online' } })).toMatchObject({
        status: 200,
        body: {},
      });
      for (const reader of [ann, ben])
        expect((await reader.get(status)).body).toEqual({ presence: 'offline' });
      expect((await ann.get('/_proto/client/v3/sync')).body).not.toHaveProperty('presence');
    });

    it('publishes the capabilities of the server', async () => {
      const user = await world.user();
      const { status, body } = await user.get('/_proto/client/v3/capabilities');
      expect(status).toBe(200);
      expect(body).toMatchObject({
        capabilities: {
          'm.change_password': { enabled: true },
          'm.room_versions': { default: '10', available: { 1: 'stable', 10: 'stable', 12: 'stable' } },
          'm.set_displayname': { enabled: true },
          'm.set_avatar_url': { enabled: true },
          'm.3pid_changes': { enabled: false },
          'm.get_login_token': { enabled: false },
        },
      });
      expect((await user.get('/_proto/client/r0/capabilities')).body).toEqual(body);
    });

    it.each(['voip/turnServer', 'thirdparty/protocols'])('%s is empty', async (target) => {
      const user = await world.user();
      expect(await user.get(`/_proto/client/v3/${target}`)).toMatchObject({ status: 200, text: '{}' });
    });

    it.each(['v1/auth_metadata', 'unstable/org.matrix.msc2965/auth_metadata'])(
      '%s is not found, so that tools log in with passwords',
      async (target) => {
        expect(await world.http('GET', `/_proto/client/${target}`)).toMatchObject(
          refusal(404, 'M_UNRECOGNIZED'),
        );
      },
    );
  },
  { config: CONFIG },
);

chapter(
  '7.1 Discovery without configuration',
  (world) => {
    it.each([
      ['/.well-known/matrix/client', 'M_NOT_FOUND'],
      ['/.well-known/matrix/support', 'M_NOT_FOUND'],
      ['/.well-known/matrix/server', 'M_UNRECOGNIZED'],
      ['/_matrix/key/v2/server', 'M_UNRECOGNIZED'],
      ['/_matrix/federation/v1/version', 'M_UNRECOGNIZED'],
    ])('%s is not found', async (target, errcode) => {
      expect(await world.http('GET', target)).toMatchObject(refusal(404, errcode));
    });

    it('the name of the server is published at the documented path', async () => {
      expect(await world.http('GET', '/_proto/key/v2/server')).toMatchObject({
        status: 200,
        body: { server_name: 'test' },
      });
    });
  },
  { config: { server: { compat_prefixes: false } } },
);
