import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

chapter('0.1 Segments of a path', (world) => {
  describe('a segment may be empty; the endpoint then checks the empty id', () => {
    it.each([
      ['GET', '/_service/admin/v2/users/', 400, 'M_INVALID_PARAM'],
      ['PUT', '/_service/admin/v2/users/', 400, 'M_INVALID_PARAM'],
      ['POST', '/_service/admin/v1/deactivate/', 400, 'M_INVALID_PARAM'],
      ['POST', '/_service/admin/v1/reset_password/', 400, 'M_INVALID_PARAM'],
      ['GET', '/_service/admin/v1/users//admin', 400, 'M_INVALID_PARAM'],
      ['PUT', '/_service/admin/v1/users//admin', 400, 'M_INVALID_PARAM'],
      ['GET', '/_service/admin/v2/users//devices', 400, 'M_INVALID_PARAM'],
      ['POST', '/_service/admin/v2/users//delete_devices', 400, 'M_INVALID_PARAM'],
      ['GET', '/_service/admin/v1/auth_providers//users/', 404, 'M_NOT_FOUND'],
      ['GET', '/_service/admin/v1/threepid//users/', 404, 'M_NOT_FOUND'],
    ])('%s %s', async (verb, target, status, errcode) => {
      const reply = await world.http(verb, target, { token: world.admin.token, body: {} });
      expect(reply).toMatchObject(refusal(status, errcode));
    });

    it('an empty device id', async () => {
      const user = await world.account();
      const reply = await world.admin.get(path`/_service/admin/v2/users/${user}/devices/`);
      expect(reply).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    });
  });

  describe('a segment is decoded after the path is split', () => {
    it.each([
      ['a slash', 'a/b', 'a%2Fb'],
      ['a plus sign, which is literal', 'a+b', 'a+b'],
      ['an encoded plus sign', 'c+d', 'c%2Bd'],
      ['a space', 'a b', 'a%20b'],
      ['an encoded percent sign', 'a%2Fc', 'a%252Fc'],
      ['a question mark', '?q=1', '%3Fq=1'],
      ['a fragment', '#f', '%23f'],
      ['three dots', '...', '...'],
      ['encoded dots', '../x', '%2e%2E%2fx'],
      ['unencoded sub-delimiters', "!$&'()*,;=:@", "!$&'()*,;=:@"],
      ['non-ASCII letters', 'ü', '%C3%BC'],
      ['a character beyond the basic plane', '😀', '%F0%9F%98%80'],
      ['the whole of a client-made URL', 'https://idp/x?y=z', 'https%3A%2F%2Fidp%2Fx%3Fy%3Dz'],
    ])('%s', async (_, id, encoded) => {
      const provider = world.freshName('provider/');
      const user = await world.account('found', {
        external_ids: [{ auth_provider: provider, external_id: id }],
      });
      const target = `${path`/_service/admin/v1/auth_providers/${provider}/users/`}${encoded}`;
      expect(await world.admin.get(target)).toMatchObject({ status: 200, body: { user_id: user } });
    });

    // The endpoint answers: no earlier segment is removed.
    it.each(['..', '%2e%2e'])('%s is a segment like others', async (segment) => {
      const target = `/_service/admin/v1/auth_providers/provider/users/${segment}`;
      expect(await world.admin.get(target)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    });

    it('ids may be sent without encoding', async () => {
      const user = await world.account();
      const reply = await world.admin.get(`/_service/admin/v2/users/${user}`);
      expect(reply).toMatchObject({ status: 200, body: { name: user } });
    });

    it('an id that decodes to a word of another path stays an id', async () => {
      const reply = await world.admin.delete('/_service/admin/v1/media/%70rotect/x');
      expect(reply).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });
  });

  describe('invalid encodings are replaced, and the result is looked up', () => {
    it.each(['%ff', '%', '%zz', '%e2%82', '%C3', '%ED%A0%80', '%F0%9F%98', '%00'])('%s', async (bytes) => {
      const lookUp = await world.admin.get(`/_service/admin/v1/auth_providers/x/users/${bytes}`);
      expect(lookUp).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      const user = await world.admin.get(`/_service/admin/v2/users/@${bytes}:test`);
      expect(user).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      const noUser = await world.admin.get(`/_service/admin/v2/users/${bytes}`);
      expect(noUser).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });

    it('invalid bytes become U+FFFD', async () => {
      const provider = world.freshName('provider');
      const user = await world.account('found', {
        external_ids: [{ auth_provider: provider, external_id: 'a\uFFFDb' }],
      });
      const reply = await world.admin.get(`/_service/admin/v1/auth_providers/${provider}/users/a%FFb`);
      expect(reply).toMatchObject({ status: 200, body: { user_id: user } });
    });
  });
});
