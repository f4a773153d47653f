import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { ALL_SCOPES, methodRules, scopeName } from '@steward/rpc';
import { type Actor, path } from '@steward/testing';
import { BUILT_IN_ROLES } from '@steward/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { downloadStatus, uploadFile } from './media-files.ts';
import { refusal } from './refusal.ts';
import { fill, IDS, servedOnce } from './served.ts';

const ROLES = '/_service/admin/v1/roles';
const ME = '/_service/admin/v1/me';
const V3 = '/_proto/client/v3';

const at = (userId: string) => path`/_service/admin/v2/users/${userId}`;
const rolesOf = (userId: string) => path`/_service/admin/v1/users/${userId}/roles`;
const roleAt = (name: string) => path`/_service/admin/v1/roles/${name}`;

const forbidden = refusal(403, 'M_FORBIDDEN');
const invalid = refusal(400, 'M_INVALID_PARAM');
/** The refusal that names a missing scope. */
const lacks = (scope: string) =>
  refusal(403, 'M_FORBIDDEN', { error: expect.stringContaining(scope) as unknown });

/** A body for each method that changes an account, by the method's name. */
const BODIES: Readonly<Record<string, unknown>> = {
  PutUser: { displayname: 'Changed' },
  Deactivate: {},
  ResetPassword: { new_password: 'changed', logout_devices: true },
  PutAdminFlag: { admin: false },
  ShadowBan: {},
  LiftShadowBan: {},
  Suspend: { suspend: true },
  SetRateLimit: { messages_per_second: 1, burst_count: 1 },
  ClearRateLimit: {},
  SetExperimentalFeatures: { features: { msc3026: true } },
  AllowCrossSigningReplacement: {},
  SetQuotas: { devices: 1 },
  CreateDevice: { device_id: 'NEW' },
  DeleteDevices: { devices: ['NEW'] },
  UpdateDevice: { display_name: 'Changed' },
  DeleteDevice: {},
  LoginAs: {},
  SetAccountRoles: { roles: [] },
  ResetTotp: {},
  EndAccountAdminSession: {},
  SetValidity: { expiration_ts: 1 },
  BanUserFromRooms: { rooms: 'all' },
  UnbanUserFromRooms: { rooms: 'all' },
  RedactUser: { rooms: [] },
};

/** The methods that act against accounts that their requests name, or in their name, with each field that has them. */
const changes = servedOnce.flatMap((endpoint) => {
  const { verb, template, method } = endpoint;
  const { authorityFields } = methodRules(method);
  return authorityFields.map(({ field: { name: field, fieldKind } }) => ({
    ...endpoint,
    field,
    isList: fieldKind === 'list',
    name: `${verb} ${template} ${field}`,
  }));
});

chapter('Roles', (world) => {
  /** A user with some roles. */
  async function holder(...roles: readonly string[]): Promise<Actor> {
    const user = await world.user('holder');
    expect(await world.admin.put(rolesOf(user.userId), { body: { roles } })).toMatchObject({ status: 200 });
    return user;
  }

  /** A new role, by its name. */
  async function role(...scopes: readonly string[]): Promise<string> {
    const name = world.freshName('role');
    const body = { name, description: 'For a test', scopes };
    expect(await world.admin.post(ROLES, { body })).toMatchObject({ status: 200 });
    return name;
  }

  const withScopes = async (...scopes: readonly string[]) => holder(await role(...scopes));

  it('roles are listed, built-in ones first, with their holders', async () => {
    const name = await role('rooms:read', 'users:read');
    await holder(name, 'auditor');
    const { roles } = (await world.admin.get<{ roles: Record<string, unknown>[] }>(ROLES)).body;
    expect(roles.slice(0, 4).map((each) => [each.name, each.built_in])).toEqual([
      ['admin', true],
      ['moderator', true],
      ['auditor', true],
      ['support', true],
    ]);
    expect(roles.find((each) => each.name === name)).toMatchObject({
      description: 'For a test',
      scopes: ['users:read', 'rooms:read'],
      built_in: false,
    });
    await expect.poll(async () => (await world.admin.get(roleAt(name))).body.holders).toBe(1);
    expect((await world.admin.get(roleAt('admin'))).body.scopes).toEqual(ALL_SCOPES.map(scopeName));
    expect(await world.admin.get(roleAt('none'))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
  });

  it('tell who a caller is', async () => {
    expect((await world.admin.get(ME)).body).toEqual({
      user_id: world.admin.userId,
      roles: ['admin'],
      scopes: ALL_SCOPES.map(scopeName),
      token_kind: 'device',
      device_id: world.admin.deviceId,
      owner: null,
      session_id: null,
      proved_ts: null,
    });
    const user = await world.user();
    expect((await user.get(ME)).body).toMatchObject({ user_id: user.userId, roles: [], scopes: [] });
    const support = await holder('support');
    const { access_token: token } = (
      await world.admin.post<{ access_token: string }>(
        path`/_service/admin/v1/users/${support.userId}/login`,
        { body: {} },
      )
    ).body;
    expect((await world.http('GET', ME, { token })).body).toEqual({
      user_id: support.userId,
      roles: ['support'],
      scopes: ['users:read', 'users:write', 'users:credentials'],
      token_kind: 'login_as',
      device_id: null,
      owner: world.admin.userId,
      session_id: null,
      proved_ts: null,
    });
  });

  it('change what their holders may do with the next request', async () => {
    const name = await role('users:read');
    const user = await holder(name);
    const other = await world.account();
    expect(await user.get(at(other))).toMatchObject({ status: 200 });
    expect(await user.put(at(other), { body: {} })).toMatchObject(lacks('users:write'));
    const changed = await world.admin.put(roleAt(name), { body: { scopes: ['rooms:read'] } });
    expect(changed.body).toMatchObject({ name, description: 'For a test', scopes: ['rooms:read'] });
    expect(await user.get(at(other))).toMatchObject(lacks('users:read'));
    expect(await user.get('/_service/admin/v1/rooms')).toMatchObject({ status: 200 });
    expect((await world.admin.put(rolesOf(user.userId), { body: { roles: [] } })).body).toEqual({
      roles: [],
      scopes: [],
    });
    expect(await user.get('/_service/admin/v1/rooms')).toMatchObject(
      refusal(403, 'M_FORBIDDEN', { error: 'You are not a server administrator' }),
    );
  });

  it('with invalid names or scopes, and unknown ones, are refused', async () => {
    const name = await role('users:read');
    const scopes = ['users:read'];
    for (const body of [
      { name, scopes },
      { name: 'auditor', scopes },
      { name: 'Upper', scopes },
      { name: 'x'.repeat(65), scopes },
      { name: 'unknown-scope', scopes: ['users:read', 'users:everything'] },
      { name: 'no-list', scopes: 'users:read' },
      { name: 'long', scopes, description: 'x'.repeat(257) },
    ])
      expect(await world.admin.post(ROLES, { body })).toMatchObject(invalid);
    expect(await world.admin.post(ROLES, { body: { name: 'none' } })).toMatchObject(
      refusal(400, 'M_MISSING_PARAM'),
    );
    expect(await world.admin.put(roleAt(name), { body: { scopes: ['all'] } })).toMatchObject(invalid);
    const user = await world.account();
    expect(await world.admin.put(rolesOf(user), { body: { roles: ['unknown'] } })).toMatchObject(invalid);
    const names = Array.from({ length: 11 }, (_, n) => `role-${n}`);
    expect(await world.admin.put(rolesOf(user), { body: { roles: names } })).toMatchObject(invalid);
    for (const list of ['/_service/admin/v2/users', '/_service/admin/v3/users'])
      expect(await world.admin.get(list, { query: { role: 'unknown' } })).toMatchObject(invalid);
  });

  it('roles that are built-in or held are not deleted', async () => {
    expect(await world.admin.delete(roleAt('auditor'))).toMatchObject(refusal(400, 'M_UNKNOWN'));
    expect(await world.admin.put(roleAt('auditor'), { body: { scopes: [] } })).toMatchObject(
      refusal(400, 'M_UNKNOWN'),
    );
    const name = await role('users:read');
    const user = await holder(name);
    expect(await world.admin.delete(roleAt(name))).toMatchObject(
      refusal(400, 'M_UNKNOWN', { error: expect.stringContaining('1 account') as unknown }),
    );
    await world.admin.put(rolesOf(user.userId), { body: { roles: ['support'] } });
    expect(await world.admin.delete(roleAt(name))).toMatchObject({ status: 200, body: {} });
    expect(await world.admin.delete(roleAt(name))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
  });

  it('filter the lists of accounts', async () => {
    const name = await role('users:read');
    const [one, other] = [await holder(name), await holder(name, 'auditor')];
    await world.admin.put(at(other.userId), { body: { deactivated: true } });
    const list = async (version: string, query: Record<string, string | boolean>) => {
      const { body } = await world.admin.get<{ users: { name: string }[]; total: number }>(
        `/_service/admin/${version}/users`,
        { query: { role: name, ...query } },
      );
      return [body.users.map((user) => user.name), body.total];
    };
    const both = [[one.userId, other.userId].sort(), 2];
    await expect.poll(() => list('v3', {})).toEqual(both);
    expect(await list('v2', {})).toEqual([[one.userId], 1]);
    expect(await list('v2', { deactivated: true })).toEqual(both);
    expect(await list('v3', { deactivated: false, name: 'holder' })).toEqual([[one.userId], 1]);
    expect(await list('v3', { role: 'admin', name: 'holder' })).toEqual([[], 0]);
    const reader = await withScopes('users:read');
    for (const version of ['v2', 'v3']) {
      const target = `/_service/admin/${version}/users`;
      expect(await reader.get(target, { query: { role: name } })).toMatchObject(lacks('access:read'));
      expect(await reader.get(target)).toMatchObject({ status: 200 });
    }
  });

  describe('are given only by callers who have their scopes', () => {
    let giver: Actor;
    let small: string;
    beforeAll(async () => {
      small = await role('reports:read');
      giver = await withScopes('access:read', 'access:write', 'users:write', 'reports:read');
    });

    it('also to create, change, delete and take them', async () => {
      const user = await world.account();
      expect(await giver.put(rolesOf(user), { body: { roles: [small] } })).toMatchObject({ status: 200 });
      expect(await giver.put(rolesOf(user), { body: { roles: [small, 'auditor'] } })).toMatchObject(
        forbidden,
      );
      expect((await giver.get(rolesOf(user))).body).toMatchObject({ roles: [small] });
      await world.admin.put(rolesOf(user), { body: { roles: ['auditor'] } });
      expect(await giver.put(rolesOf(user), { body: { roles: [] } })).toMatchObject(forbidden);
      expect(await giver.put(rolesOf(giver.userId), { body: { roles: ['support'] } })).toMatchObject(
        forbidden,
      );

      const large = await role('reports:read', 'rooms:read');
      const fresh = world.freshName('role');
      expect(await giver.post(ROLES, { body: { name: fresh, scopes: ['rooms:read'] } })).toMatchObject(
        lacks('rooms:read'),
      );
      expect(await giver.put(roleAt(small), { body: { scopes: ['rooms:read'] } })).toMatchObject(forbidden);
      expect(await giver.put(roleAt(large), { body: { scopes: [] } })).toMatchObject(forbidden);
      expect(await giver.delete(roleAt(large))).toMatchObject(forbidden);
      expect(await giver.post(ROLES, { body: { name: fresh, scopes: ['reports:read'] } })).toMatchObject({
        status: 200,
      });
      expect(await giver.delete(roleAt(fresh))).toMatchObject({ status: 200 });
    });

    it('and administrators are appointed only by callers who have all', async () => {
      const user = await world.account();
      const other = await world.user('other', { admin: true });
      const flag = path`/_service/admin/v1/users/${user}/admin`;
      const fresh = world.userId(world.freshName());
      for (const refused of [
        giver.put(rolesOf(user), { body: { roles: ['admin'] } }),
        giver.put(flag, { body: { admin: true } }),
        giver.put(at(user), { body: { admin: true } }),
        giver.put(at(fresh), { body: { admin: true } }),
        giver.put(rolesOf(other.userId), { body: { roles: [] } }),
      ])
        expect(await refused).toMatchObject(forbidden);
      const all = await withScopes(...ALL_SCOPES.map(scopeName));
      expect((await all.put(rolesOf(user), { body: { roles: ['admin', 'support'] } })).body.roles).toEqual([
        'admin',
        'support',
      ]);
      expect((await all.get(flag)).body).toEqual({ admin: true });
      expect(await all.put(flag, { body: { admin: false } })).toMatchObject({ status: 200 });
      expect((await all.get(rolesOf(user))).body.roles).toEqual(['support']);
    });

    it('and no administrator takes the own role', async () => {
      const other = await world.user('other', { admin: true });
      expect(await other.put(rolesOf(other.userId), { body: { roles: ['auditor'] } })).toMatchObject(
        refusal(400, 'M_UNKNOWN'),
      );
    });
  });

  describe('do not reach accounts with further scopes', () => {
    let caller: Actor;
    let target: Actor;
    beforeAll(async () => {
      const scopes = ALL_SCOPES.map(scopeName).filter((name) => name !== 'server:read');
      caller = await withScopes(...scopes);
      target = await withScopes('server:read');
    });

    it.each(changes)('$name', async ({ verb, template, method, field, isList }) => {
      const given = BODIES[method.name] ?? {};
      const send = ({ userId }: Pick<Actor, 'userId'>) => {
        const named = template.includes(`{${field}}`) ? {} : { [field]: isList ? [userId] : userId };
        const url = fill(template, (variable) => (variable === field ? userId : (IDS[variable] ?? 'NEW')));
        return world.http(verb, url, { token: caller.token, body: { ...(given as object), ...named } });
      };
      expect(await send(target)).toMatchObject(lacks('server:read'));
      expect(await send({ userId: await world.account() })).not.toMatchObject(lacks('server:read'));
    });

    it('and their profiles', async () => {
      const name = (userId: string) => path`/_proto/client/v3/profile/${userId}/displayname`;
      const body = { displayname: 'Changed' };
      expect(await caller.put(name(target.userId), { body })).toMatchObject(forbidden);
      expect(await caller.put(name(await world.account()), { body })).toMatchObject({ status: 200 });
      const reader = await withScopes('users:read');
      expect(await reader.put(name(await world.account()), { body })).toMatchObject(
        refusal(400, 'M_FORBIDDEN'),
      );
    });

    it('and their addresses', async () => {
      const threepids = [{ medium: 'email', address: `${world.freshName()}@example.org` }];
      await world.admin.put(at(target.userId), { body: { threepids } });
      for (const userId of [await world.account(), world.userId(world.freshName())])
        expect(await caller.put(at(userId), { body: { threepids } })).toMatchObject(lacks('server:read'));
    });
  });

  it('do not extend to fields with a scope of their own', async () => {
    const writer = await withScopes('users:write', 'users:read');
    const user = await world.account('user', {
      threepids: [{ medium: 'email', address: 'kept@example.org' }],
    });
    const refusals: readonly [Record<string, unknown>, string][] = [
      [{ password: 'x' }, 'users:credentials'],
      [{ password: '' }, 'users:credentials'],
      [{ logout_devices: true }, 'users:credentials'],
      [{ threepids: [{ medium: 'email', address: 'a@example.org' }] }, 'users:credentials'],
      [{ threepids: [] }, 'users:credentials'],
      [{ external_ids: [{ auth_provider: 'a', external_id: 'b' }] }, 'users:credentials'],
      [{ admin: true }, 'access:write'],
    ];
    for (const [body, scope] of refusals)
      expect(await writer.put(at(user), { body }), JSON.stringify(body)).toMatchObject(lacks(scope));
    const whole = { displayname: 'x', admin: false, locked: false, external_ids: [], password: null };
    expect(await writer.put(at(user), { body: whole })).toMatchObject({ status: 200 });
    const deactivate = path`/_service/admin/v1/deactivate/${user}`;
    expect(await writer.post(deactivate, { body: { erase: true } })).toMatchObject(lacks('users:erase'));
    expect(await writer.post(deactivate, { body: { erase: false } })).toMatchObject({ status: 200 });
  });

  it('to delete rooms neither block them nor move their members', async () => {
    const deleter = await withScopes('rooms:delete');
    const owner = await world.user();
    const { room_id: room } = (await owner.post<{ room_id: string }>(`${V3}/createRoom`, { body: {} })).body;
    for (const version of ['v1', 'v2']) {
      const target = `/_service/admin/${version}/rooms/${encodeURIComponent(room)}`;
      for (const body of [{ block: true }, { new_room_user_id: owner.userId, message: 'x' }])
        expect(await deleter.delete(target, { body })).toMatchObject(lacks('rooms:write'));
    }
    const target = path`/_service/admin/v1/rooms/${room}`;
    const body = { block: false, purge: true, new_room_user_id: null };
    expect(await deleter.delete(target, { body })).toMatchObject({ status: 200 });
  });

  it('let their holders act as others until they end', async () => {
    const name = await role('users:impersonate');
    const caller = await holder(name);
    const user = await world.user();
    const target = path`/_service/admin/v1/users/${user.userId}/login`;
    const login = async () =>
      (await caller.post<{ access_token: string }>(target, { body: {} })).body.access_token;
    const whoAmI = (token: string) => world.http('GET', `${V3}/account/whoami`, { token });
    const ended = refusal(401, 'M_UNKNOWN_TOKEN');

    const first = await login();
    expect(await whoAmI(first)).toMatchObject({ body: { user_id: user.userId } });
    // The account gains a right that the holder does not have.
    await world.admin.put(rolesOf(user.userId), { body: { roles: ['support'] } });
    expect(await whoAmI(first)).toMatchObject(ended);
    expect(await caller.post(target, { body: {} })).toMatchObject(lacks('users:read'));
    await world.admin.put(rolesOf(user.userId), { body: { roles: [] } });

    const second = await login();
    await world.admin.put(roleAt(name), { body: { scopes: [] } });
    expect(await whoAmI(second)).toMatchObject(ended);
    await world.admin.put(roleAt(name), { body: { scopes: ['users:impersonate'] } });
    expect(await whoAmI(second)).toMatchObject({ status: 200 });
    await world.admin.put(rolesOf(caller.userId), { body: { roles: [] } });
    await world.admin.put(rolesOf(caller.userId), { body: { roles: [name] } });
    expect(await whoAmI(second)).toMatchObject(ended);
  });

  it('give the rights of administrators in the client API', async () => {
    const owner = await world.user();
    const [reader, writer] = [await holder('auditor'), await holder('moderator')];
    const { room_id: room } = (await owner.post<{ room_id: string }>(`${V3}/createRoom`, { body: {} })).body;
    const aliases = path`/_proto/client/v3/rooms/${room}/aliases`;
    const alias = path`/_proto/client/v3/directory/room/${`#${world.freshName('alias')}:${world.serverName}`}`;
    const listing = path`/_proto/client/v3/directory/list/room/${room}`;
    expect(await owner.put(alias, { body: { room_id: room } })).toMatchObject({ status: 200 });
    expect(await reader.get(aliases)).toMatchObject({ status: 200 });
    expect(await reader.delete(alias)).toMatchObject(forbidden);
    expect(await reader.put(listing, { body: { visibility: 'public' } })).toMatchObject(forbidden);
    expect(await writer.put(listing, { body: { visibility: 'public' } })).toMatchObject({ status: 200 });
    expect(await writer.delete(alias)).toMatchObject({ status: 200 });
    expect(await reader.put(alias, { body: { room_id: room } })).toMatchObject(forbidden);
    expect(await writer.put(alias, { body: { room_id: room } })).toMatchObject({ status: 200 });

    const media = await uploadFile(owner);
    await world.admin.post(path`/_service/admin/v1/media/quarantine/${world.serverName}/${media}`);
    const bypass = (by: Actor) =>
      by.get(path`/_proto/client/v1/media/download/${world.serverName}/${media}`, {
        query: { admin_unsafely_bypass_quarantine: true },
      });
    expect(await downloadStatus(world, writer, media)).toBe(404);
    expect(await bypass(reader)).toMatchObject(refusal(400, 'M_UNKNOWN'));
    expect((await bypass(writer)).status).toBe(200);
  });

  it('show what was reported without its content, unless they permit reading it', async () => {
    const owner = await world.user();
    const { room_id: room } = (await owner.post<{ room_id: string }>(`${V3}/createRoom`, { body: {} })).body;
    const sent = await owner.put<{ event_id: string }>(
      path`/_proto/client/v3/rooms/${room}/send/m.room.message/${world.freshName()}`,
      { body: { msgtype: 'm.text', body: 'private' } },
    );
    await owner.post(path`/_proto/client/v3/rooms/${room}/report/${sent.body.event_id}`, { body: {} });
    const { event_reports: reports } = (
      await world.admin.get<{ event_reports: { id: number }[] }>('/_service/admin/v1/event_reports', {
        query: { room_id: room },
      })
    ).body;
    const target = `/_service/admin/v1/event_reports/${reports[0]?.id}`;
    const eventFor = async (caller: Actor) =>
      (await caller.get<{ event_json: Record<string, unknown> }>(target)).body.event_json;
    expect(await eventFor(await holder('auditor'))).toMatchObject({ sender: owner.userId, content: {} });
    expect(await eventFor(await holder('moderator'))).toMatchObject({ content: { body: 'private' } });
  });
});

it('an auditor has every scope for reading except those of registration tokens and content', () => {
  const auditor = BUILT_IN_ROLES.find(({ name }) => name === 'auditor');
  const reads = ALL_SCOPES.filter((scope: Scope) => scopeName(scope).endsWith(':read'));
  expect([...(auditor?.scopes ?? [])].map(scopeName).sort()).toEqual(
    reads
      .map(scopeName)
      .filter((name) => name !== 'registration_tokens:read')
      .sort(),
  );
});
