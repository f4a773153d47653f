import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import {
  directoryOf,
  GROUP,
  GROUP_SCOPES,
  GROUPS,
  groupAt,
  PATCH,
  refused,
  SCIM,
  SCOPES,
  tokenWith,
  USER,
  USERS,
} from './scim/directory.ts';

interface Resource {
  readonly id: string;
  readonly members?: readonly { readonly value: string }[];
}

interface List {
  readonly totalResults: number;
  readonly Resources: readonly Resource[];
}

pairedChapter('SCIM groups', (world) => {
  const directory = directoryOf(world, GROUP_SCOPES);
  const { send } = directory;
  const patch = (id: string, ...Operations: readonly object[]) =>
    send<Resource>('PATCH', groupAt(id), { schemas: [PATCH], Operations });
  const find = (query: Readonly<Record<string, string>>) =>
    send<List>('GET', `${GROUPS}?${new URLSearchParams(query)}`);

  async function newUser(): Promise<string> {
    const body = { schemas: [USER], userName: world.freshName('member') };
    return (await send<Resource>('POST', USERS, body)).body.id;
  }

  const membersOf = async (id: string) =>
    ((await send<Resource>('GET', groupAt(id))).body.members ?? []).map(({ value }) => value).sort();

  /** Makes a group in SCIM, and gives it a role. */
  async function newGroup(fields: object = {}, name = world.freshName('Group')) {
    const made = await send<Resource>('POST', GROUPS, { schemas: [GROUP], displayName: name, ...fields });
    expect(made).toMatchObject({ status: 201, body: { displayName: name, meta: { resourceType: 'Group' } } });
    return { ...made, id: made.body.id, name };
  }

  it('groups and their members follow the requests that Microsoft Entra ID sends', async () => {
    const [alice, bob] = [await newUser(), await newUser()];
    const name = world.freshName('Entra');
    const filter = `displayName eq "${name}"`;
    const excludedAttributes = 'members';
    expect(await find({ excludedAttributes, filter })).toMatchObject({
      status: 200,
      body: { totalResults: 0 },
    });
    const { body } = await send<Resource>('POST', GROUPS, {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: `8aa1a0c0-${name}`,
      displayName: name,
      meta: { resourceType: 'Group' },
    });
    const { id } = body;
    const added = { op: 'Add', path: 'members', value: [{ $ref: null, value: alice }, { value: bob }] };
    expect(await patch(id, added)).toMatchObject({ status: 200 });
    expect(await membersOf(id)).toEqual([alice, bob].sort());
    expect(await find({ excludedAttributes, filter })).toMatchObject({
      body: { totalResults: 1, Resources: [{ id, externalId: `8aa1a0c0-${name}` }] },
    });
    const isMember = (user: string) =>
      find({ excludedAttributes, filter: `id eq "${id}" and members[value eq "${user}"]` });
    expect(await isMember(alice)).toMatchObject({ body: { totalResults: 1 } });
    await patch(id, { op: 'Remove', path: 'members', value: [{ $ref: null, value: alice }] });
    expect(await isMember(alice)).toMatchObject({ body: { totalResults: 0 } });
    expect(await patch(id, { op: 'Replace', path: 'displayName', value: `${name} 2` })).toMatchObject({
      status: 200,
      body: { displayName: `${name} 2` },
    });
    expect(await send('DELETE', groupAt(id))).toMatchObject({ status: 204 });
    expect(await send('GET', groupAt(id))).toMatchObject(refused(404));
  });

  it('groups and their members follow the requests that Okta sends', async () => {
    const [alice, bob] = [await newUser(), await newUser()];
    const { id, name } = await newGroup({ members: [{ value: alice, display: 'alice@example.org' }] });
    expect(await find({ startIndex: '1', count: '100', filter: `displayName eq "${name}"` })).toMatchObject({
      body: { totalResults: 1, Resources: [{ id, members: [{ value: alice, type: 'User' }] }] },
    });
    const renamed = { op: 'replace', value: { id, displayName: `${name} Test` } };
    expect(await patch(id, renamed)).toMatchObject({ status: 200, body: { displayName: `${name} Test` } });
    await patch(
      id,
      { op: 'remove', path: `members[value eq "${alice}"]` },
      { op: 'add', path: 'members', value: [{ value: bob, display: 'bob@example.org' }] },
    );
    expect(await membersOf(id)).toEqual([bob]);
    await patch(id, { op: 'replace', path: 'members', value: [{ value: alice }] });
    expect(await membersOf(id)).toEqual([alice]);
    const put = { schemas: [GROUP], displayName: name, members: [{ value: bob }] };
    expect(await send('PUT', groupAt(id), put)).toMatchObject({ status: 200, body: { displayName: name } });
    expect(await membersOf(id)).toEqual([bob]);
    await patch(id, { op: 'remove', path: 'members' });
    expect(await membersOf(id)).toEqual([]);
  });

  it('a directory sees and takes out only the members that it has added', async () => {
    const [alice, bob] = [await newUser(), await newUser()];
    const { id } = await newGroup({ members: [{ value: alice }] });
    const ofGroup = (user: string) => path`/_service/admin/v1/groups/${id}/members/${user}`;
    for (const user of [alice, bob])
      expect(await world.admin.put(ofGroup(user), { body: {} })).toMatchObject({ status: 200 });
    expect(await membersOf(id)).toEqual([alice]);
    await patch(id, { op: 'replace', path: 'members', value: [] });
    expect(await membersOf(id)).toEqual([]);
    const { body } = await world.admin.get(path`/_service/admin/v1/groups/${id}/members`);
    expect(body).toMatchObject({ total: 2, members: [{ by: ['hand'] }, { by: ['hand'] }] });
  });

  it('a version changes with the name and the members, and is compared before a change', async () => {
    const { id, headers } = await newGroup();
    const version = String(headers.etag);
    const unchanged = { 'if-none-match': version };
    expect(await send('GET', groupAt(id), undefined, unchanged)).toMatchObject({ status: 304 });
    await patch(id, { op: 'add', path: 'members', value: [{ value: await newUser() }] });
    expect(await send('GET', groupAt(id), undefined, unchanged)).toMatchObject({ status: 200 });
    const stale = { 'if-match': version };
    const body = { schemas: [GROUP], displayName: 'Another' };
    expect(await send('PUT', groupAt(id), body, stale)).toMatchObject(refused(412));
    expect(await send('DELETE', groupAt(id), undefined, stale)).toMatchObject(refused(412));
  });

  it('groups are found by any condition, sorted, in pages', async () => {
    const mark = world.freshName('found');
    for (const letter of ['b', 'A', 'c'])
      await newGroup({ externalId: `${letter}${mark}` }, `${letter}-${mark}`);
    const names = async (query: Readonly<Record<string, string>>) =>
      (await find({ excludedAttributes: 'members', ...query })).body.Resources.map(
        (group) => (group as unknown as { displayName: string }).displayName[0],
      );
    const filter = `displayName co "${mark.toUpperCase()}"`;
    expect(await names({ filter })).toEqual(['A', 'b', 'c']);
    expect(await names({ filter, sortBy: 'displayName', sortOrder: 'descending' })).toEqual(['c', 'b', 'A']);
    expect(await names({ filter, startIndex: '2', count: '1' })).toEqual(['b']);
    expect(
      await names({ filter: `${filter} and not (displayName sw "a" or externalId eq "c${mark}")` }),
    ).toEqual(['b']);
    expect(await names({ filter: `${filter} and displayName ew "x"` })).toEqual([]);
    expect(await find({ filter: `members.value eq "@a:b"` })).toMatchObject({ status: 200 });
    expect(await find({ sortBy: 'members' })).toMatchObject(refused(400, 'invalidValue'));
  });

  it('what does not fit a group is refused', async () => {
    const { id, name } = await newGroup();
    const taken = { schemas: [GROUP], displayName: name.toUpperCase() };
    expect(await send('POST', GROUPS, taken)).toMatchObject(refused(409, 'uniqueness'));
    expect(await send('POST', GROUPS, { schemas: [GROUP] })).toMatchObject(refused(400, 'invalidValue'));
    expect(await send('POST', GROUPS, { schemas: [USER], displayName: 'x' })).toMatchObject(
      refused(400, 'invalidSyntax'),
    );
    const unknown = { op: 'add', path: 'members', value: [{ value: world.userId('absent') }] };
    expect(await patch(id, unknown)).toMatchObject(refused(400, 'invalidValue'));
    expect(await patch(id, { ...unknown, op: 'remove' })).toMatchObject({ status: 200 });
    for (const [op, path, value, type] of [
      ['remove', 'displayName', undefined, 'mutability'],
      ['replace', 'displayName', '', 'invalidValue'],
      ['replace', 'displayName', 1, 'invalidValue'],
      ['remove', 'members[display eq "x"]', undefined, 'invalidPath'],
      ['add', 'members', Array.from({ length: 1_001 }, (_, n) => ({ value: `@${n}:x` })), 'tooMany'],
      ['add', '[]', 'x', 'invalidPath'],
    ] as const)
      expect(await patch(id, { op, path, value }), path).toMatchObject(refused(400, type));
  });

  it('a directory gives no role whose scopes its token does not have', async () => {
    const { id } = await newGroup();
    const body = { roles: ['admin'], enforced: true };
    expect(await world.admin.put(path`/_service/admin/v1/groups/${id}`, { body })).toMatchObject({
      status: 200,
    });
    const added = { op: 'add', path: 'members', value: [{ value: await newUser() }] };
    expect(await patch(id, added)).toMatchObject(refused(403));
    expect(await send('DELETE', groupAt(id))).toMatchObject(refused(403));
  });

  it('a search of all kinds finds users, and groups where the token may read them', async () => {
    const { id } = await newGroup();
    const search = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: `id eq "${id}"`,
    };
    const one = { status: 200, body: { totalResults: 1, Resources: [{ id }] } };
    expect(await send('POST', `${SCIM}/.search`, search)).toMatchObject(one);
    const token = await tokenWith(world, SCOPES);
    const none = { status: 200, body: { totalResults: 0 } };
    expect(await world.http('POST', `${SCIM}/.search`, { token, body: search })).toMatchObject(none);
    expect(await world.http('GET', GROUPS, { token })).toMatchObject(refused(403));
  });
});
