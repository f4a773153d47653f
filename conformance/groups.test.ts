import { type Actor, path } from '@steward/testing';
import { expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const GROUPS = '/_service/admin/v1/groups';
const ROLES = '/_service/admin/v1/roles';

const ok = { status: 200 };
const invalid = refusal(400, 'M_INVALID_PARAM');
const forbidden = refusal(403, 'M_FORBIDDEN');
const notFound = refusal(404, 'M_NOT_FOUND');

interface Group {
  readonly id: string;
  readonly name: string;
  readonly [key: string]: unknown;
}

pairedChapter('Groups', (world) => {
  const at = (id: string, more = '') => `${path`/_service/admin/v1/groups/${id}`}${more}`;
  const memberAt = (id: string, user: Actor) => at(id, path`/members/${user.userId}`);

  async function make(body: Readonly<Record<string, unknown>> = {}, by: Actor = world.admin): Promise<Group> {
    const made = await by.post<Group>(GROUPS, { body: { name: world.freshName('Team'), ...body } });
    expect(made).toMatchObject(ok);
    return made.body;
  }

  async function newRole(...scopes: readonly string[]): Promise<string> {
    const name = world.freshName('role');
    expect(await world.admin.post(ROLES, { body: { name, scopes } })).toMatchObject(ok);
    return name;
  }

  const rolesOf = async (user: Actor) =>
    (await world.admin.get<{ roles: string[] }>(path`/_service/admin/v1/users/${user.userId}/roles`)).body
      .roles;

  it('are created, shown, changed and deleted', async () => {
    const role = await newRole('users:read');
    const { id, ...made } = await make({
      description: 'On call',
      roles: [role],
      external_id: world.freshName('x'),
    });
    expect(id).toMatch(/^[0-9a-f]{28}$/);
    expect(made).toMatchObject({ enforced: false, hand_edits: 'restore', members: 0, roles: [role] });
    expect((await world.admin.get(at(id))).body).toEqual({ id, ...made });
    const change = { description: '', enforced: true };
    expect(await world.admin.put(at(id), { body: { ...change, external_id: '' } })).toMatchObject({
      ...ok,
      body: { ...change, external_id: null },
    });
    expect(await world.admin.delete(at(id))).toMatchObject(ok);
    await world.whenIdle();
    for (const reply of [
      world.admin.get(at(id)),
      world.admin.delete(at(id)),
      world.admin.put(at(id), { body: {} }),
    ])
      expect(await reply).toMatchObject(notFound);
    // The name and the role are free again.
    expect(await make({ name: made.name })).toMatchObject({ name: made.name });
    expect(await world.admin.delete(`${ROLES}/${role}`)).toMatchObject(ok);
  });

  it('have names that differ by more than case, and refuse what is not well-formed', async () => {
    const { id, name } = await make();
    const other = await make();
    expect(await world.admin.post(GROUPS, { body: { name: name.toUpperCase() } })).toMatchObject(invalid);
    expect(await world.admin.put(at(other.id), { body: { name: name.toUpperCase() } })).toMatchObject(
      invalid,
    );
    expect(await world.admin.put(at(id), { body: { name: name.toUpperCase() } })).toMatchObject(ok);
    expect(await world.admin.post(GROUPS, { body: {} })).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
    const malformed = [
      { name: ' ' },
      { name: 'a\nb' },
      { name: 'x'.repeat(257) },
      { roles: ['none-of-this-name'] },
      { roles: 'admin' },
      { hand_edits: 'ask' },
      { enforced: 'yes' },
    ];
    for (const body of malformed)
      expect(await world.admin.put(at(id), { body }), JSON.stringify(body)).toMatchObject(invalid);
  });

  it('are listed by name and time, in pages, and found by a part of the name, the name and the external id', async () => {
    const mark = world.freshName('list');
    const external = world.freshName('directory');
    const names = ['C', 'a', 'B'].map((letter) => `${letter} ${mark}`);
    for (const name of names)
      await make({ name, ...(name.startsWith('a') ? { external_id: external } : {}) });
    async function list(query: Readonly<Record<string, string>>): Promise<readonly string[]> {
      const all: string[] = [];
      for (let from: string | undefined; ; ) {
        const { body } = await world.admin.get<{ groups: Group[]; next_token?: string }>(GROUPS, {
          query: { limit: '2', ...query, ...(from === undefined ? {} : { from }) },
        });
        all.push(...body.groups.map(({ name }) => name.slice(0, 1)));
        from = body.next_token;
        if (from === undefined) return all;
      }
    }
    const search = mark.toUpperCase();
    expect(await list({ search })).toEqual(['a', 'B', 'C']);
    expect(await list({ search, dir: 'b' })).toEqual(['C', 'B', 'a']);
    // Those of one millisecond have any order.
    const byTime = await list({ search, order_by: 'created_ts' });
    expect([...byTime].sort()).toEqual(['B', 'C', 'a']);
    expect(await list({ search, order_by: 'created_ts', dir: 'b' })).toEqual([...byTime].reverse());
    expect(await list({ name: `b ${mark}` })).toEqual(['B']);
    expect(await list({ external_id: external })).toEqual(['a']);
  });

  it('give their members roles, once they are enforced, and take them back', async () => {
    const role = await newRole('users:read');
    const { id } = await make({ roles: [role] });
    const [user, other] = [await world.user(), await world.user()];
    for (const member of [user, other])
      expect(await world.admin.put(memberAt(id, member), { body: {} })).toMatchObject(ok);
    expect(await rolesOf(user)).toEqual([]);
    expect((await world.admin.get(at(id, '/plan'))).body).toMatchObject({
      changes: expect.arrayContaining([
        { user_id: user.userId, roles_given: [role], roles_taken: [] },
      ]) as unknown,
      total: 2,
    });
    expect(await world.admin.put(at(id), { body: { enforced: true } })).toMatchObject(ok);
    await world.whenIdle();
    expect(await rolesOf(user)).toEqual([role]);
    expect(await user.get('/_service/admin/v2/users')).toMatchObject(ok);
    expect((await world.admin.get(at(id, '/members'))).body).toMatchObject({
      members: expect.arrayContaining([
        expect.objectContaining({ user_id: user.userId, by: ['hand'] }),
      ]) as unknown,
    });
    expect(await world.admin.delete(memberAt(id, user))).toMatchObject(ok);
    expect(await world.admin.delete(memberAt(id, user))).toMatchObject(ok);
    expect(await rolesOf(user)).toEqual([]);
    expect(await world.admin.delete(at(id))).toMatchObject(ok);
    await world.whenIdle();
    expect(await rolesOf(other)).toEqual([]);
  });

  it('give no caller a scope that the caller does not have', async () => {
    const own = await newRole('access:read', 'access:write');
    const caller = await world.user();
    const ofCaller = path`/_service/admin/v1/users/${caller.userId}/roles`;
    expect(await world.admin.put(ofCaller, { body: { roles: [own] } })).toMatchObject(ok);
    const powerful = await make({ roles: ['admin'], enforced: true });
    expect(await caller.post(GROUPS, { body: { name: 'x', roles: ['admin'] } })).toMatchObject(forbidden);
    expect(await caller.put(at(powerful.id), { body: { roles: [] } })).toMatchObject(forbidden);
    expect(await caller.put(memberAt(powerful.id, caller), { body: {} })).toMatchObject(forbidden);
    expect(await caller.delete(at(powerful.id))).toMatchObject(forbidden);
    const weak = await make({}, caller);
    expect(await caller.put(at(weak.id), { body: { roles: ['admin'] } })).toMatchObject(forbidden);
    // Nor over an account with more scopes.
    expect(await caller.put(memberAt(weak.id, world.admin), { body: {} })).toMatchObject(forbidden);
    expect(await world.admin.put(memberAt(weak.id, caller), { body: {} })).toMatchObject(ok);
    expect(await caller.put(at(weak.id), { body: { roles: [own], enforced: true } })).toMatchObject(ok);
  });
});
