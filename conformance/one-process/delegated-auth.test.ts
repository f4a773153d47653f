import { type Actor, type HttpRequest, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { ownChapter } from '../chapter.ts';
import { refusal } from '../refusal.ts';
import { fill, served, shapeOf } from '../served.ts';

const DELEGATED = { config: { delegated_authentication: { enabled: true } } };

const UNAVAILABLE = [
  '/_service/admin/v1/register',
  '/_service/admin/v1/reset_password/@someone:test',
  '/_service/admin/v1/users/@someone:test/admin',
  '/_service/admin/v1/users/@someone:test/login',
  '/_service/admin/v1/account_validity/validity',
  '/_service/admin/v1/registration_tokens',
  '/_service/admin/v1/registration_tokens/new',
  '/_service/admin/v1/registration_tokens/@someone:test',
  '/_synapse/admin/v1/register',
  '/_synapse/admin/v1/users/@someone:test/admin',
];

ownChapter('12 External delegated authentication', (world) => {
  let plain: Actor;
  let locked: Actor;

  beforeAll(async () => {
    plain = await world.user('plain');
    locked = await world.user('locked');
    await world.admin.put(path`/_service/admin/v2/users/${locked.userId}`, { body: { locked: true } });
    await world.restart(DELEGATED);
  });

  describe.each(UNAVAILABLE)('%s is unknown', (target) => {
    it.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])('for %s', async (verb) => {
      // The server checks neither the caller nor the body.
      const requests: HttpRequest[] = [
        {},
        { token: 'nobody', rawBody: '{}' },
        { token: plain.token },
        { token: locked.token, rawBody: '{}' },
        { token: world.admin.token, rawBody: 'no JSON' },
        { token: world.admin.token, rawBody: '{}' },
      ];
      for (const request of requests) {
        expect(await world.http(verb, target, request)).toMatchObject(refusal(404, 'M_UNRECOGNIZED'));
      }
    });

    it('except for OPTIONS, which every path answers', async () => {
      expect((await world.http('OPTIONS', target)).status).toBe(204);
    });
  });

  const SHAPES = UNAVAILABLE.map((target) => target.replace('@someone:test', '{}'));
  const available = served.filter(({ template }) => !SHAPES.includes(shapeOf(template)));

  it.each(available)('$verb $template is still served', async ({ verb, template }) => {
    const reply = await world.http(
      verb,
      fill(template, () => 'x'),
    );
    expect(reply.body?.errcode).not.toBe('M_UNRECOGNIZED');
  });

  it('tokens remain valid', async () => {
    const whoAmI = await plain.get('/_proto/client/v3/account/whoami');
    expect(whoAmI).toMatchObject({ status: 200, body: { user_id: plain.userId } });
    expect(await world.admin.get('/_service/admin/v1/server_version')).toMatchObject({ status: 200 });
    expect(await plain.get('/_service/admin/v1/server_version')).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    expect(await locked.get('/_proto/client/v3/account/whoami')).toMatchObject(refusal(401, 'M_USER_LOCKED'));
  });

  it('the list of users contains no guests', async () => {
    const user = await world.account('guest');
    await world.seed?.account(user, { is_guest: true });
    const queries: Record<string, string>[] = [{ user_id: user }, { user_id: user, guests: 'false' }];
    for (const list of ['/_service/admin/v2/users', '/_service/admin/v3/users']) {
      expect(await world.admin.get(list, { query: { guests: 'true' } })).toMatchObject(
        refusal(400, 'M_INVALID_PARAM'),
      );
      for (const query of queries) {
        const { body } = await world.admin.get<{ total: number }>(list, { query });
        expect(body.total).toBe(world.seed ? 0 : 1);
      }
    }
  });

  it('everything else is unchanged', async () => {
    const user = await world.account('x', { displayname: 'X' });
    const target = path`/_service/admin/v2/users/${user}`;
    expect(await world.admin.get(target)).toMatchObject({ status: 200, body: { displayname: 'X' } });
    expect(await world.admin.put(target, { body: { admin: true } })).toMatchObject({ body: { admin: 1 } });
    expect(await world.admin.get(`${target}/devices`)).toMatchObject({ status: 200 });
    const deactivated = await world.admin.post(path`/_service/admin/v1/deactivate/${user}`);
    expect(deactivated).toMatchObject({ status: 200 });
    const query = { username: 'free' };
    expect(await world.admin.get('/_service/admin/v1/username_available', { query })).toMatchObject({
      status: 200,
    });
  });

  it('PUT still checks a password where users cannot set passwords', async () => {
    await world.restart({ config: { ...DELEGATED.config, passwords: { localdb_enabled: false } } });
    const target = path`/_service/admin/v2/users/${world.admin.userId}`;
    expect(await world.admin.put(target, { body: { password: 'x' } })).toMatchObject(
      refusal(403, 'M_FORBIDDEN'),
    );
    expect(await world.admin.put(target, { body: { password: 1 } })).toMatchObject(refusal(400, 'M_UNKNOWN'));
  });
});
