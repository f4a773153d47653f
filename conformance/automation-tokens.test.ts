import { ALL_SCOPES, scopeName } from '@steward/rpc';
import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const TOKENS = '/_service/admin/v1/tokens';
const ROLES = '/_service/admin/v1/roles';
const ME = '/_service/admin/v1/me';
const USERS = '/_service/admin/v2/users';
const LOG = '/_service/admin/v1/audit_log';

const at = (id: string) => path`/_service/admin/v1/tokens/${id}`;

const unknown = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });
const invalid = refusal(400, 'M_INVALID_PARAM');
const missing = refusal(400, 'M_MISSING_PARAM');
const forbidden = refusal(403, 'M_FORBIDDEN');
const notFound = refusal(404, 'M_NOT_FOUND');
const ok = { status: 200 };
/** The refusal that names a missing scope. */
const lacks = (scope: string) =>
  refusal(403, 'M_FORBIDDEN', { error: expect.stringContaining(scope) as unknown });

interface Made {
  readonly id: string;
  readonly token: string;
  readonly [key: string]: unknown;
}

pairedChapter('Automation tokens', (world) => {
  const name = 'Nightly report ✓';

  async function make(
    body: Readonly<Record<string, unknown>>,
    by: { readonly token: string } = world.admin,
  ): Promise<Made> {
    const made = await world.http<Made>('POST', TOKENS, { token: by.token, body: { name, ...body } });
    expect(made).toMatchObject(ok);
    return made.body;
  }
  const get = (token: string, target: string) => world.http('GET', target, { token });
  const post = (token: string, target: string, body: unknown = {}) =>
    world.http<Made>('POST', target, { token, body });
  const remove = (token: string, id: string) => world.http('DELETE', at(id), { token });
  const rotate = (token: string, id: string, body: unknown = {}) => post(token, `${at(id)}/rotate`, body);

  async function withRole(...roles: readonly string[]): Promise<Actor> {
    const user = await world.user('holder');
    const target = path`/_service/admin/v1/users/${user.userId}/roles`;
    expect(await world.admin.put(target, { body: { roles } })).toMatchObject(ok);
    return user;
  }

  async function newRole(...scopes: readonly string[]): Promise<string> {
    const role = world.freshName('role');
    expect(await world.admin.post(ROLES, { body: { name: role, scopes } })).toMatchObject(ok);
    return role;
  }

  it('have the scopes that they were given, and belong to no account', async () => {
    const { id, token, ...made } = await make({ scopes: ['users:read', 'rooms:read'] });
    expect(id).toMatch(/^[0-9a-f]{28}$/);
    expect(token).toMatch(/^stw_[a-z2-7]{55}$/);
    const shown = {
      name,
      scopes: ['users:read', 'rooms:read'],
      role: null,
      created_ts: expect.any(Number) as unknown,
      created_by: world.admin.userId,
      expires_ts: null,
      allowed_addresses: [],
      previous_secret_expires_ts: null,
      last_used: null,
    };
    expect(made).toEqual(shown);
    expect((await world.admin.get(at(id))).body).toEqual({ id, ...shown });
    expect(await get(token, USERS)).toMatchObject(ok);
    expect(await world.http('PUT', path`/_service/admin/v2/users/@a:b`, { token, body: {} })).toMatchObject(
      lacks('users:write'),
    );
    expect((await get(token, ME)).body).toEqual({
      user_id: `token:${id}`,
      roles: [],
      scopes: ['users:read', 'rooms:read'],
      token_kind: 'automation_token',
      device_id: null,
      owner: null,
      session_id: null,
      proved_ts: null,
      name,
    });
    await expect
      .poll(async () => (await world.admin.get(at(id))).body.last_used, { timeout: 20_000 })
      .toEqual({
        ts: expect.any(Number) as unknown,
        address: expect.stringContaining('127.0.0.1') as unknown,
      });
  });

  it('outlive the account that made them', async () => {
    const maker = await world.user('maker', { admin: true });
    const { token } = await make({ role: 'admin', expires_in_ms: 86_400_000 }, maker);
    await world.admin.post(path`/_service/admin/v1/deactivate/${maker.userId}`, { body: { erase: true } });
    const me = await get(token, ME);
    expect(me.body).toMatchObject({
      roles: ['admin'],
      scopes: ALL_SCOPES.map(scopeName),
      expires_ts: expect.any(Number) as unknown,
    });
    expect(await post(token, TOKENS, { name, role: 'admin' })).toMatchObject(ok);
  });

  it('with invalid values are not made', async () => {
    const scopes = ['users:read'];
    const ranges = Array.from({ length: 51 }, (_, i) => `10.0.0.${i}`);
    const refused: readonly (readonly [Record<string, unknown>, unknown])[] = [
      [{ scopes }, missing],
      [{ name }, missing],
      [{ name, scopes: [] }, missing],
      [{ name, scopes, role: 'auditor' }, invalid],
      [{ name: '', scopes }, invalid],
      [{ name: 'x'.repeat(129), scopes }, invalid],
      [{ name: 'a\nb', scopes }, invalid],
      [{ name: 5, scopes }, invalid],
      [{ name, scopes: ['users:everything'] }, invalid],
      [{ name, scopes: 'users:read' }, invalid],
      [{ name, role: 'none' }, invalid],
      [{ name, scopes, expires_in_ms: 0 }, invalid],
      [{ name, scopes, expires_in_ms: -1 }, invalid],
      [{ name, scopes, expires_in_ms: 315_360_000_001 }, invalid],
      [{ name, scopes, allowed_addresses: ranges }, invalid],
      ...['', '10.0.0.0/33', '::/129', '10.0.0', 'localhost', 'fe80::1%eth0', '10.0.0.1/', '1.2.3.4/-1'].map(
        (range) => [{ name, scopes, allowed_addresses: [range] }, invalid] as const,
      ),
    ];
    for (const [body, refusalOf] of refused)
      expect(await world.admin.post(TOKENS, { body }), JSON.stringify(body)).toMatchObject(
        refusalOf as object,
      );
    for (const id of ['0', '0'.repeat(28), 'x\u0000', '%']) {
      expect(await world.admin.get(at(id))).toMatchObject(notFound);
      expect(await world.admin.delete(at(id))).toMatchObject(notFound);
      expect(await rotate(world.admin.token, id)).toMatchObject(notFound);
    }
    const { id } = await make({ scopes: ['users:read'], expires_in_ms: null, allowed_addresses: null });
    for (const overlap of [-1, 2_592_000_001, '1', 0.5])
      expect(await rotate(world.admin.token, id, { overlap_ms: overlap })).toMatchObject(invalid);
  });

  it('automation tokens are listed by pages, the newest first', async () => {
    const role = await newRole('rooms:read');
    const made = [
      await make({ scopes: ['users:read'] }),
      await make({ role }),
      await make({ role: 'auditor' }),
    ];
    const page = async (query: Record<string, string | number>) =>
      (await world.admin.get<{ tokens: Made[]; next_token?: string; total: number }>(TOKENS, { query })).body;
    const listed: Made[] = [];
    let from: string | undefined;
    do {
      const { tokens, next_token: next, total } = await page({ limit: 2, ...(from ? { from } : {}) });
      listed.push(...tokens);
      from = next;
      if (from === undefined) expect(listed).toHaveLength(total);
    } while (from !== undefined);
    const ids = listed.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    for (const { token: _, ...each } of made) expect(listed).toContainEqual(each);
    expect(listed.find(({ id }) => id === made[1]?.id)?.scopes).toEqual(['rooms:read']);
    expect(JSON.stringify(listed)).not.toContain('stw_');
    expect(await page({ limit: 0 })).toMatchObject({ tokens: [] });
    for (const query of [{ from: 'x' }, { limit: '-1' }] as Record<string, string>[])
      expect(await world.admin.get(TOKENS, { query })).toMatchObject(invalid);
  });

  it('never have more than their maker had, nor than their role has', async () => {
    const role = await newRole('users:read', 'rooms:read', 'access:write');
    const maker = await withRole(role);
    expect(await maker.post(TOKENS, { body: { name, scopes: ['media:read'] } })).toMatchObject(
      lacks('media:read'),
    );
    expect(await maker.post(TOKENS, { body: { name, role: 'moderator' } })).toMatchObject(forbidden);
    expect(await maker.post(TOKENS, { body: { name, role: 'admin' } })).toMatchObject(forbidden);
    const { token } = await make({ role }, maker);
    const { token: byAdmin, id: idByAdmin } = await make({ role });
    const scopes = async (of: string) => (await get(of, ME)).body.scopes;
    const change = (...given: string[]) =>
      world.admin.put(path`/_service/admin/v1/roles/${role}`, { body: { scopes: given } });
    await change('users:read', 'media:read', 'access:write');
    expect(await scopes(token)).toEqual(['users:read', 'access:write']);
    expect(await scopes(byAdmin)).toEqual(['users:read', 'media:read', 'access:write']);
    // A token that rotates itself goes on following its role; who rotates another one learns its secret.
    await change('users:read', 'access:write');
    const renewed = await rotate(byAdmin, idByAdmin);
    await change('users:read', 'media:read', 'access:write');
    expect(await scopes(renewed.body.token)).toEqual(['users:read', 'media:read', 'access:write']);
    await change('users:read', 'access:write');
    const rotated = await rotate(token, idByAdmin);
    await change('users:read', 'media:read', 'access:write');
    expect(await scopes(rotated.body.token)).toEqual(['users:read', 'access:write']);
    // Another account lost its role; the token that it made has it.
    await world.admin.put(path`/_service/admin/v1/users/${maker.userId}/roles`, { body: { roles: [] } });
    expect(await scopes(token)).toEqual(['users:read', 'access:write']);
    expect((await world.admin.get(path`/_service/admin/v1/roles/${role}`)).body).toMatchObject({ tokens: 2 });
    expect(await world.admin.delete(path`/_service/admin/v1/roles/${role}`)).toMatchObject(
      refusal(400, 'M_UNKNOWN', { error: '2 automation tokens have this role' }),
    );
  });

  it('automation tokens are rotated and revoked only by callers who have their scopes', async () => {
    const maker = await withRole(await newRole('access:write', 'users:read'));
    const [small, large] = [
      await make({ scopes: ['users:read'] }),
      await make({ scopes: ['users:read', 'users:write'] }),
    ];
    expect(await rotate(maker.token, large.id)).toMatchObject(lacks('users:write'));
    expect(await remove(maker.token, large.id)).toMatchObject(lacks('users:write'));
    const { body } = await rotate(maker.token, small.id);
    expect(await get(body.token, USERS)).toMatchObject(ok);
    expect(await remove(maker.token, small.id)).toMatchObject(ok);
    expect(await remove(maker.token, small.id)).toMatchObject(notFound);
    expect(await get(body.token, USERS)).toMatchObject(unknown);
    expect(await get(large.token, USERS)).toMatchObject(ok);
  });

  it('automation tokens that make others pass on their end and their addresses', async () => {
    const parent = await make({
      role: 'admin',
      expires_in_ms: 3_600_000,
      allowed_addresses: ['127.0.0.0/8', '::1'],
    });
    const [child, short] = [
      await make({ scopes: ['users:read'], expires_in_ms: 7_200_000 }, parent),
      await make({ scopes: ['users:read'], expires_in_ms: 1_000 }, parent),
    ];
    expect(child).toMatchObject({
      created_by: `token:${parent.id}`,
      expires_ts: parent.expires_ts,
      allowed_addresses: ['127.0.0.0/8', '::1'],
    });
    expect(short.expires_ts).toBeLessThan(parent.expires_ts as number);
    const wider = { name, scopes: ['users:read'], allowed_addresses: ['0.0.0.0/0'] };
    expect(await post(parent.token, TOKENS, wider)).toMatchObject(invalid);
  });

  it('have at most two valid secrets, and none once they are revoked', async () => {
    const { id, token: first } = await make({ scopes: ['users:read'] });
    const statuses = (...secrets: readonly string[]) =>
      Promise.all(secrets.map(async (secret) => (await get(secret, USERS)).status));
    const second = (await rotate(world.admin.token, id, { overlap_ms: 600_000 })).body;
    expect(second.previous_secret_expires_ts).toBeGreaterThan(second.created_ts as number);
    expect(await statuses(first, second.token)).toEqual([200, 200]);
    const third = (await rotate(world.admin.token, id, { overlap_ms: 600_000 })).body;
    expect(await statuses(first, second.token, third.token)).toEqual([401, 200, 200]);
    const fourth = (await rotate(world.admin.token, id)).body;
    expect(fourth.previous_secret_expires_ts).toBeNull();
    expect(await statuses(first, second.token, third.token, fourth.token)).toEqual([401, 401, 401, 200]);
    expect(await get(fourth.token, ME)).toMatchObject({ body: { user_id: `token:${id}` } });
    expect(await remove(world.admin.token, id)).toMatchObject({ status: 200, body: {} });
    expect(await get(fourth.token, USERS)).toMatchObject(unknown);
    expect(await rotate(world.admin.token, id)).toMatchObject(notFound);
  });

  it('automation tokens are accepted from their addresses only, also with large bodies', async () => {
    const scopes = ['rooms:write'];
    const near = await make({ scopes, allowed_addresses: ['127.0.0.1'] });
    const far = await make({ scopes, allowed_addresses: ['192.0.2.0/24', '2001:db8::/32'] });
    const target = path`/_service/admin/v1/user/@user:${world.serverName}/redact`;
    const refused = refusal(403, 'M_FORBIDDEN', { error: expect.stringContaining('address') as unknown });
    for (const rooms of [[], ['!'.padEnd(100_000, 'x')]]) {
      expect(await post(near.token, target, { rooms })).toMatchObject(ok);
      expect(await post(far.token, target, { rooms })).toMatchObject(refused);
    }
    expect(JSON.stringify((await get(far.token, ME)).body)).not.toContain('192.0.2');
  });

  describe('are accepted by no other API', () => {
    it.each([
      ['GET', '/_proto/client/v3/account/whoami'],
      ['GET', '/_proto/client/v3/sync'],
      ['GET', '/_proto/client/v3/admin/whois/@a:b'],
      ['POST', '/_proto/media/v3/upload'],
      ['POST', '/_proto/client/v3/logout'],
    ] as const)('%s %s', async (verb, target) => {
      const { token } = await make({ role: 'admin' });
      const body = verb === 'POST' ? {} : undefined;
      expect(await world.http(verb, target, { token, body })).toMatchObject(unknown);
    });

    it('nor in a query', async () => {
      const { token } = await make({ role: 'admin' });
      expect(await world.http('GET', USERS, { query: { access_token: token } })).toMatchObject(unknown);
    });
  });

  it('act as no user, and do what needs none', async () => {
    const { id, token } = await make({ role: 'admin' });
    const identity = `token:${id}`;
    const user = await world.user();
    const own = async (preset: string) =>
      (await user.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body: { preset } })).body
        .room_id;
    const [closed, open] = [await own('private_chat'), await own('public_chat')];
    const other = await world.user();

    const login = path`/_service/admin/v1/users/${user.userId}/login`;
    expect(await post(token, login)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    const power = path`/_service/admin/v1/rooms/${open}/make_room_admin`;
    expect(await post(token, power)).toMatchObject(missing);
    expect(await post(token, power, { user_id: other.userId })).toMatchObject(ok);
    const join = (room: string) =>
      post(token, path`/_service/admin/v1/join/${room}`, { user_id: other.userId });
    expect(await join(open)).toMatchObject(ok);
    expect(await join(closed)).toMatchObject(forbidden);
    await user.post(path`/_proto/client/v3/rooms/${closed}/invite`, { body: { user_id: other.userId } });
    expect(await join(closed)).toMatchObject(ok);
    const redact = path`/_service/admin/v1/user/${user.userId}/redact`;
    expect(await post(token, redact, { rooms: [], use_admin: true })).toMatchObject(forbidden);
    expect(await post(token, redact, { rooms: [] })).toMatchObject(ok);
    const block = path`/_service/admin/v1/rooms/${closed}/block`;
    expect(await world.http('PUT', block, { token, body: { block: true } })).toMatchObject(ok);
    expect((await get(token, block)).body).toEqual({ block: true, user_id: identity });
  });

  it('and their changes are in the audit log, without secrets', async () => {
    const { id, token } = await make({ role: 'admin' });
    const { token: rotated } = (await rotate(token, id)).body;
    expect(await remove(rotated, id)).toMatchObject(ok);
    interface Entry {
      readonly action: string;
      readonly actor: string;
      readonly token_kind: string;
      readonly outcome: string;
    }
    const list = async () =>
      (await world.admin.get<{ entries: Entry[] }>(LOG, { query: { target: `token:${id}` } })).body.entries;
    await expect
      .poll(async () => (await list()).map((e) => [e.action, e.actor, e.token_kind, e.outcome]))
      .toEqual([
        ['user.revoke_automation_token', `token:${id}`, 'automation_token', 'ok'],
        ['user.rotate_automation_token', `token:${id}`, 'automation_token', 'ok'],
        ['user.create_automation_token', world.admin.userId, 'device', 'ok'],
      ]);
    expect(JSON.stringify(await list())).not.toMatch(/stw_/);
  });
});
