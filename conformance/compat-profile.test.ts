import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

chapter('Compatibility profile', (world) => {
  it('nothing is redirected: the service receives token and body', async () => {
    const user = world.userId(world.freshName());
    const reply = await world.admin.put(path`/_synapse/admin/v2/users/${user}`, {
      body: { displayname: 'By alias' },
    });
    expect(reply).toMatchObject({ status: 201, body: { displayname: 'By alias' } });
    expect(await world.admin.get(path`/_service/admin/v2/users/${user}`)).toMatchObject({
      body: { displayname: 'By alias' },
    });
  });

  describe('the user object', () => {
    it('has booleans instead of 0 and 1, and seconds', async () => {
      const user = await world.account('x', { admin: true });
      const documented = (await world.admin.get(path`/_service/admin/v2/users/${user}`)).body;
      const expected = {
        ...documented,
        is_guest: false,
        admin: true,
        deactivated: false,
        shadow_banned: false,
        creation_ts: Math.floor((documented.creation_ts as number) / 1000),
      };
      const target = path`/_synapse/admin/v2/users/${user}`;
      expect((await world.admin.get(target)).body).toEqual(expected);
      expect((await world.admin.put(target, { body: {} })).body).toEqual(expected);
    });

    it('the user object is returned on creation', async () => {
      const target = path`/_synapse/admin/v2/users/${world.userId(world.freshName())}`;
      expect(await world.admin.put(target, { body: {} })).toMatchObject({
        status: 201,
        body: { admin: false, deactivated: false },
      });
    });

    it('the user object is returned for a deactivated user', async () => {
      const user = await world.account();
      await world.admin.post(path`/_synapse/admin/v1/deactivate/${user}`);
      expect((await world.admin.get(path`/_synapse/admin/v2/users/${user}`)).body.deactivated).toBe(true);
    });
  });

  it.each(['v2', 'v3'])('the entries of %s/users have booleans instead of 0 and 1', async (version) => {
    const name = `listed-in-${version}`;
    const user = await world.account(name, { admin: true });
    await world.account(name);
    await world.admin.post(path`/_service/admin/v1/users/${user}/shadow_ban`);
    const query = { name, deactivated: false };
    const documented = await world.admin.get<{ users: Record<string, unknown>[] }>(
      `/_service/admin/${version}/users`,
      { query },
    );
    expect(documented.body.users).toHaveLength(2);
    expect(documented.body.users.find((entry) => entry.name === user)).toMatchObject({
      is_guest: 0,
      admin: 1,
      deactivated: 0,
      shadow_banned: 1,
    });
    const asBooleans = documented.body.users.map((entry) => ({
      ...entry,
      is_guest: entry.is_guest === 1,
      admin: entry.admin === 1,
      deactivated: entry.deactivated === 1,
      shadow_banned: entry.shadow_banned === 1,
    }));
    expect((await world.admin.get(`/_synapse/admin/${version}/users`, { query })).body).toEqual({
      ...documented.body,
      users: asBooleans,
    });
  });

  it('creating a device returns 201', async () => {
    const user = await world.account();
    const body = { device_id: 'D' };
    for (let i = 0; i < 2; i++) {
      expect(await world.admin.post(path`/_synapse/admin/v2/users/${user}/devices`, { body })).toMatchObject({
        status: 201,
        text: '{}',
      });
    }
    expect(
      await world.admin.post(path`/_synapse/admin/v2/users/${user}/delete_devices`, {
        body: { devices: ['D'] },
      }),
    ).toMatchObject({ status: 200 });
  });

  it('the server version is returned without a token, and with any token', async () => {
    const target = '/_synapse/admin/v1/server_version';
    const { body } = await world.admin.get('/_service/admin/v1/server_version');
    const plain = await world.user();
    for (const request of [{}, { token: 'nobody' }, { token: plain.token }, { token: world.admin.token }]) {
      expect(await world.http('GET', target, request)).toMatchObject({ status: 200, body });
    }
  });

  it('everything else requires its token', async () => {
    const plain = await world.user();
    expect(await plain.get('/_synapse/admin/v2/users')).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    expect(await world.http('GET', '/_matrix/client/v3/account/whoami')).toMatchObject(
      refusal(401, 'M_MISSING_TOKEN'),
    );
  });

  it('clients can log in, read their identity and log out', async () => {
    const user = await world.user();
    const login = await world.http<{ access_token: string }>('POST', '/_matrix/client/r0/login', {
      body: { type: 'm.login.password', user: user.localpart, password: user.password, device_id: null },
    });
    expect(login).toMatchObject({ status: 200, body: { home_server: 'test' } });
    const { access_token: token } = login.body;
    const whoAmI = '/_matrix/client/v3/account/whoami';
    expect(await world.http('GET', whoAmI, { token })).toMatchObject({ body: { user_id: user.userId } });
    expect(await world.http('POST', '/_matrix/client/v3/logout', { token })).toMatchObject({ status: 200 });
    expect(await world.http('GET', whoAmI, { token })).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
    const { body } = await world.http('GET', '/_matrix/client/versions');
    expect(body).toEqual((await world.http('GET', '/_proto/client/versions')).body);
  });
});
