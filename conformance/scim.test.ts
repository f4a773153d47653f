import { expect, it } from 'vitest';
import { chapter, inOneProcess } from './chapter.ts';
import {
  account,
  at,
  directoryOf,
  ENTERPRISE,
  PATCH,
  refused,
  SCIM,
  SCOPES,
  tokenWith,
  USER,
  USERS,
} from './scim/directory.ts';

chapter('SCIM', (world) => {
  const directory = directoryOf(world);

  it('accounts follow the requests that Microsoft Entra ID sends', async () => {
    const name = world.freshName('entra');
    expect(await directory.find(`userName eq "${name}"`)).toMatchObject({
      status: 200,
      body: { totalResults: 0, Resources: [] },
    });
    const made = await directory.send<{ id: string }>('POST', USERS, {
      schemas: [USER, ENTERPRISE],
      externalId: `0a21f0f2-${name}`,
      userName: name,
      active: true,
      displayName: 'BobIsAmazing',
      emails: [{ primary: true, type: 'work', value: `${name}@testuser.com` }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Ryan Leenay', familyName: 'Leenay', givenName: 'Ryan' },
      [ENTERPRISE]: { department: 'bob' },
    });
    const { id } = made.body;
    expect(made).toMatchObject({ status: 201, body: { userName: name, active: true } });
    expect(made.headers['content-type']).toBe('application/scim+json');
    expect(await world.admin.get(account(id))).toMatchObject({
      body: {
        displayname: 'BobIsAmazing',
        external_ids: [{ auth_provider: 'scim', external_id: `0a21f0f2-${name}` }],
        threepids: [{ medium: 'email', address: `${name}@testuser.com` }],
        locked: false,
      },
    });
    expect(
      await directory.patch(
        id,
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `updated-${name}@microsoft.com` },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', value: { displayName: 'Ryan', [`${ENTERPRISE}:department`]: 'sales' } },
      ),
    ).toMatchObject({
      status: 200,
      body: { displayName: 'Ryan', emails: [{ value: `updated-${name}@microsoft.com`, type: 'work' }] },
    });
    expect(await directory.patch(id, { op: 'Replace', path: 'active', value: 'False' })).toMatchObject({
      status: 200,
      body: { active: false },
    });
    expect(await world.admin.get(account(id))).toMatchObject({ body: { locked: true, deactivated: 0 } });
    expect(await directory.send('DELETE', at(id))).toMatchObject({ status: 204, text: '' });
    expect(await directory.send('GET', at(id))).toMatchObject(refused(404));
    expect(await world.admin.get(account(id))).toMatchObject({ body: { deactivated: 1, erased: false } });
  });

  it('accounts follow the requests that Okta sends', async () => {
    const name = world.freshName('okta');
    const page = await directory.find(`userName eq "${name}"`, { startIndex: '1', count: '100' });
    expect(page).toMatchObject({ status: 200, body: { totalResults: 0 } });
    const sent = {
      schemas: [USER],
      userName: name,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: `${name}@okta.local`, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: `00ujl29u0le5T6Aj10h7${name}`,
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    const made = await directory.send<{ id: string }>('POST', USERS, sent);
    expect(made).toMatchObject({ status: 201, body: { active: true, displayName: 'Test User' } });
    expect(made.body).not.toHaveProperty('password');
    const { id } = made.body;
    expect(await directory.send('PUT', at(id), { ...sent, id, displayName: 'Another Name' })).toMatchObject({
      status: 200,
      body: { displayName: 'Another Name', externalId: sent.externalId },
    });
    expect(await directory.patch(id, { op: 'replace', value: { active: false } })).toMatchObject({
      body: { active: false },
    });
    expect(await directory.patch(id, { op: 'replace', value: { active: true } })).toMatchObject({
      body: { active: true },
    });
    expect(await world.admin.get(account(id))).toMatchObject({ body: { locked: false } });
  });

  it('an account is found by what only one has, together with any other condition, and by its state', async () => {
    const name = world.freshName('found');
    const emails = [{ value: `${name}@example.org` }];
    const made = await directory.create({ userName: name, externalId: `X-${name}`, emails });
    const { id } = made.body;
    const one = { status: 200, body: { totalResults: 1, Resources: [{ id }] } };
    const none = { status: 200, body: { totalResults: 0 } };
    for (const filter of [
      `userName eq "${name.toUpperCase()}"`,
      `externalId eq "X-${name}"`,
      `emails.value eq "${name}@Example.ORG"`,
      `emails[type eq "work" and value eq "${name}@example.org"]`,
      `emails[type eq "work"].value eq "${name}@example.org"`,
      `userName eq "${name}" and not (displayName co "zzz" or active eq false)`,
      `(userName eq "${name}" or externalId eq "other") and meta.created gt "2000-01-01T00:00:00Z"`,
    ])
      expect(await directory.find(filter), filter).toMatchObject(one);
    for (const filter of [
      `externalId eq "x-${name}"`,
      `userName eq "${name}" and active eq false`,
      'userName eq "not a name"',
    ])
      expect(await directory.find(filter), filter).toMatchObject(none);
    await directory.patch(id, { op: 'replace', path: 'active', value: false });
    const inactive = await directory.find('active eq false', {
      sortBy: 'meta.created',
      sortOrder: 'descending',
      attributes: 'externalId,emails.value',
    });
    expect(inactive.body.Resources).toContainEqual({
      schemas: [USER],
      id,
      externalId: `X-${name}`,
      emails: [{ value: `${name}@example.org` }],
    });
  });

  it('a change that names another version is refused, and one that names the present version is made', async () => {
    const { id } = (await directory.create({ userName: world.freshName('tag') })).body;
    const tag = String((await directory.send('GET', at(id))).headers.etag);
    expect(await directory.send('GET', at(id), undefined, { 'if-none-match': tag })).toMatchObject({
      status: 304,
      text: '',
    });
    const change = { schemas: [PATCH], Operations: [{ op: 'add', path: 'displayName', value: 'New' }] };
    const patch = (tagged: string) => directory.send('PATCH', at(id), change, { 'if-match': tagged });
    expect(await patch('W/"other"')).toMatchObject(refused(412));
    expect(await patch(tag)).toMatchObject({ status: 200, body: { displayName: 'New' } });
    expect(await patch(tag)).toMatchObject(refused(412));
    expect(await directory.send('DELETE', at(id), undefined, { 'if-match': tag })).toMatchObject(
      refused(412),
    );
  });

  it('an account that exists is not taken over by a creation', async () => {
    const user = await world.user('present');
    const before = (await world.admin.get(account(user.userId))).body;
    const made = await directory.create({ userName: user.localpart, externalId: 'taken', active: false });
    expect(made).toMatchObject(refused(409, 'uniqueness'));
    const { last_seen_ts: _, ...rest } = before;
    expect((await world.admin.get(account(user.userId))).body).toMatchObject(rest);
  });

  it('a directory does nothing to accounts with rights that its token does not have', async () => {
    const { userId } = world.admin;
    const forbidden = refused(403);
    expect(await directory.patch(userId, { op: 'replace', value: { active: false } })).toMatchObject(
      forbidden,
    );
    expect(await directory.send('DELETE', at(userId))).toMatchObject(forbidden);
    expect(await world.admin.get(account(userId))).toMatchObject({ status: 200, body: { locked: false } });
  });

  inOneProcess(() => {
    it('only automation tokens with the scope of SCIM are admitted', async () => {
      const withoutScope = await tokenWith(world, ['users:read', 'users:write']);
      const get = (token?: string) => world.http('GET', USERS, token === undefined ? {} : { token });
      expect(await get()).toMatchObject(refused(401));
      expect(await get(world.admin.token)).toMatchObject(refused(401));
      expect(await get(withoutScope)).toMatchObject(refused(403));
      const onlyScim = await tokenWith(world, ['scim:write']);
      expect(await get(onlyScim)).toMatchObject(refused(403));
    });

    it('requests that cannot be carried out are refused in the form of SCIM', async () => {
      const { id } = (await directory.create({ userName: world.freshName('odd') })).body;
      const patched = (operation: object) => directory.patch(id, operation);
      const nested = `${'not ('.repeat(12)}userName eq "x"${')'.repeat(12)}`;
      for (const filter of [
        'displayName co "a"',
        'userName sw "a"',
        'not (userName eq "a")',
        'userName eq "a" or active eq true',
        'userName eq',
        'userName eq "a" constructor active eq true',
        `userName eq "${'\n'.repeat(60)}`,
        nested,
        'x'.repeat(1_001),
        Array.from({ length: 60 }, () => 'active pr').join(' and '),
      ])
        expect(await directory.find(filter), filter).toMatchObject(refused(400, 'invalidFilter'));
      const mutable = refused(400, 'mutability');
      expect(await directory.send('PUT', at(id), { userName: 'another' })).toMatchObject(mutable);
      expect(await patched({ op: 'replace', path: 'id', value: 'x' })).toMatchObject(mutable);
      expect(await patched({ op: 'remove', path: 'active' })).toMatchObject(mutable);
      expect(await patched({ op: 'remove' })).toMatchObject(refused(400, 'noTarget'));
      expect(await patched({ op: 'move', path: 'active' })).toMatchObject(refused(400, 'invalidSyntax'));
      expect(await patched({ op: 'add', path: 'active', value: 'maybe' })).toMatchObject(
        refused(400, 'invalidValue'),
      );
      expect(await directory.create({ userName: 'white space' })).toMatchObject(refused(400, 'invalidValue'));
      expect(await directory.send('POST', USERS, [])).toMatchObject(refused(400, 'invalidSyntax'));
      expect(await directory.send('GET', `${USERS}?sortBy=emails`)).toMatchObject(
        refused(400, 'invalidValue'),
      );
      expect(await directory.send('GET', `${SCIM}/Bulk`)).toMatchObject(refused(404));
      expect(await directory.send('PUT', USERS, {})).toMatchObject(refused(405));
      const large = { userName: 'x', title: 'x'.repeat(100_000) };
      expect(await directory.send('POST', USERS, large)).toMatchObject(refused(413));
    });

    it('paths of a PATCH reach attributes of the user only', async () => {
      const { id } = (await directory.create({ userName: world.freshName('paths') })).body;
      for (const hostile of [
        '__proto__.polluted',
        'constructor.prototype.polluted',
        'emails.__proto__.polluted',
        'emails[value pr].__proto__.polluted',
        'emails[value pr].__proto__.polluted[type pr].value',
        'emails[x[value pr].__proto__[y pr]].value',
        'emails[value eq "a].__proto__.polluted"or type pr].value',
        'urn:x:__proto__:polluted',
      ]) {
        const { status } = await directory.patch(id, { op: 'add', path: hostile, value: 'yes' });
        expect([200, 400], hostile).toContain(status);
      }
      const sent = `{"schemas":["${PATCH}"],"Operations":[{"op":"add","value":{"__proto__":{"polluted":"yes"},"emails":{"__proto__":{"polluted":"yes"},"value":"a@b.test"}}}]}`;
      const token = await tokenWith(world, SCOPES);
      expect(await world.http('PATCH', at(id), { token, rawBody: sent })).toMatchObject(
        refused(400, 'invalidPath'),
      );
      // The server runs in this process.
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });
  });
});
