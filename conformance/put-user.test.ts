import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { inOneProcess, oneProcessChapter, pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Threepid {
  medium: string;
  address: string;
  added_at: number;
  validated_at: number;
}

const at = (userId: string) => path`/_service/admin/v2/users/${userId}`;

const WHOAMI = '/_proto/client/v3/account/whoami';

const GOOD_URI = 'mxc://test/avatar';

const LONG_ID = '1'.repeat(513);

pairedChapter('2.2 Creating and changing a user', (world) => {
  const put = (userId: string, body: unknown) => world.admin.put(at(userId), { body });
  const readUser = async (userId: string) => (await world.admin.get(at(userId))).body;
  const email = () => ({ medium: 'email', address: `${world.freshName('mail')}@example.org` });
  const externalId = () => ({ auth_provider: 'oidc', external_id: world.freshName('sub') });

  it('a request with If-None-Match: * creates an account, and never changes one', async () => {
    const userId = `@${world.freshName('new')}:test`;
    const create = (displayname: string) =>
      world.admin.put(at(userId), { body: { displayname }, headers: { 'if-none-match': '*' } });
    expect(await create('First')).toMatchObject({ status: 201 });
    expect(await create('Second')).toMatchObject(refusal(412, 'M_PRECONDITION_FAILED'));
    expect(await readUser(userId)).toMatchObject({ displayname: 'First' });
    const query = { user_id: userId, with_ids: true };
    const address = email();
    await put(userId, { threepids: [address], external_ids: [externalId()] });
    expect(await world.admin.get('/_service/admin/v2/users', { query })).toMatchObject({
      body: { users: [{ name: userId, threepids: [address], external_ids: [{ auth_provider: 'oidc' }] }] },
    });
  });

  inOneProcess(() => {
    describe('checks', () => {
      it.each([
        ['no id', 'nobody', '{}', 400, 'M_INVALID_PARAM'],
        ['no id, no JSON', 'nobody', 'no JSON', 400, 'M_INVALID_PARAM'],
        ['no JSON', '@a:test', 'no JSON', 400, 'M_NOT_JSON'],
        ['no body', '@a:test', '', 400, 'M_NOT_JSON'],
        ['no object', '@a:test', '[]', 400, 'M_BAD_JSON'],
        ['another server, no JSON', '@a:elsewhere', 'no JSON', 400, 'M_NOT_JSON'],
        ['another server, no object', '@a:elsewhere', 'null', 400, 'M_BAD_JSON'],
        ['another server', '@a:elsewhere', '{}', 400, 'M_UNKNOWN'],
        ['another server, invalid threepids', '@a:elsewhere', '{"threepids":[{}]}', 400, 'M_UNKNOWN'],
      ])('refuse %s', async (_, userId, rawBody, status, errcode) => {
        expect(await world.admin.put(at(userId), { rawBody })).toMatchObject(refusal(status, errcode));
      });

      const violations: [string, Fields, string][] = [
        ['threepids: no medium', { threepids: [{ address: 'a@b' }] }, 'M_MISSING_PARAM'],
        ['threepids: no address', { threepids: [{ medium: 'email' }] }, 'M_MISSING_PARAM'],
        [
          'threepids: the second',
          { threepids: [{ medium: 'email', address: 'a@b' }, {}] },
          'M_MISSING_PARAM',
        ],
        ['threepids: no array', { threepids: 'a@b' }, 'M_BAD_JSON'],
        ['threepids: an object', { threepids: {} }, 'M_BAD_JSON'],
        ['threepids: items that are not objects', { threepids: ['a@b'] }, 'M_BAD_JSON'],
        ['threepids: null items', { threepids: [null] }, 'M_BAD_JSON'],
        ['external_ids: no provider', { external_ids: [{ external_id: 'x' }] }, 'M_MISSING_PARAM'],
        ['external_ids: no id', { external_ids: [{ auth_provider: 'x' }] }, 'M_MISSING_PARAM'],
        ['external_ids: no array', { external_ids: 1 }, 'M_BAD_JSON'],
        ['external_ids: items that are not objects', { external_ids: [1] }, 'M_BAD_JSON'],
        ['user_type: unknown', { user_type: 'human' }, 'M_UNKNOWN'],
        ['user_type: empty', { user_type: '' }, 'M_UNKNOWN'],
        ['user_type: in another case', { user_type: 'Bot' }, 'M_UNKNOWN'],
        ['user_type: a number', { user_type: 1 }, 'M_UNKNOWN'],
        ['admin: a string', { admin: 'true' }, 'M_BAD_JSON'],
        ['admin: a number', { admin: 1 }, 'M_BAD_JSON'],
        ['admin: null', { admin: null }, 'M_BAD_JSON'],
        ['password: a number', { password: 1 }, 'M_UNKNOWN'],
        ['password: an object', { password: {} }, 'M_UNKNOWN'],
        ['password: 513 characters', { password: 'a'.repeat(513) }, 'M_UNKNOWN'],
        ['logout_devices: a number', { logout_devices: 1 }, 'M_UNKNOWN'],
        ['logout_devices: null', { logout_devices: null }, 'M_UNKNOWN'],
        ['deactivated: a string', { deactivated: 'false' }, 'M_UNKNOWN'],
        ['deactivated: null', { deactivated: null }, 'M_UNKNOWN'],
        ['locked: a number', { locked: 1 }, 'M_UNKNOWN'],
        ['locked: null', { locked: null }, 'M_UNKNOWN'],
        ['deactivated and locked', { deactivated: true, locked: true }, 'M_UNKNOWN'],
        [
          'these two before the display name',
          { deactivated: true, locked: true, displayname: 5 },
          'M_UNKNOWN',
        ],
        ['threepids: unknown medium', { threepids: [{ medium: 'x', address: 'y' }] }, 'M_INVALID_PARAM'],
        ['threepids: no @', { threepids: [{ medium: 'email', address: 'a' }] }, 'M_INVALID_PARAM'],
        ['threepids: two @', { threepids: [{ medium: 'email', address: 'a@b@c' }] }, 'M_INVALID_PARAM'],
        [
          'threepids: 513 characters',
          { threepids: [{ medium: 'msisdn', address: LONG_ID }] },
          'M_INVALID_PARAM',
        ],
        [
          'external_ids: 513 characters',
          { external_ids: [{ ...externalId(), external_id: LONG_ID }] },
          'M_INVALID_PARAM',
        ],
        ['external_ids: a dot', { external_ids: [{ ...externalId(), external_id: '.' }] }, 'M_BAD_JSON'],
        [
          'external_ids: dots as the provider',
          { external_ids: [{ ...externalId(), auth_provider: '..' }] },
          'M_BAD_JSON',
        ],
        ['displayname: a number', { displayname: 1 }, 'M_INVALID_PARAM'],
        ['displayname: 257 characters', { displayname: 'a'.repeat(257) }, 'M_UNKNOWN'],
        ['avatar_url: 1001 characters', { avatar_url: `mxc://test/${'a'.repeat(990)}` }, 'M_UNKNOWN'],
        ['avatar_url: a web address', { avatar_url: 'https://example.org/a.png' }, 'M_INVALID_PARAM'],
        ['avatar_url: no media id', { avatar_url: 'mxc://test' }, 'M_INVALID_PARAM'],
        ['avatar_url: an empty media id', { avatar_url: 'mxc://test/' }, 'M_INVALID_PARAM'],
        ['avatar_url: no server', { avatar_url: 'mxc:///abc' }, 'M_INVALID_PARAM'],
        ['avatar_url: another scheme', { avatar_url: 'MXC://test/abc' }, 'M_INVALID_PARAM'],
        ['avatar_url: more than a media id', { avatar_url: 'mxc://test/a/b' }, 'M_INVALID_PARAM'],
        ['avatar_url: a query', { avatar_url: 'mxc://test/a?b' }, 'M_INVALID_PARAM'],
      ];
      const onlyOnChange: [string, Fields, string][] = [
        ['displayname: null', { displayname: null }, 'M_INVALID_PARAM'],
        ['avatar_url: null', { avatar_url: null }, 'M_INVALID_PARAM'],
        ['avatar_url: a number', { avatar_url: 1 }, 'M_INVALID_PARAM'],
      ];
      /** Keys that would change the account without the violation. */
      const change = { displayname: 'Changed', avatar_url: GOOD_URI, admin: true, user_type: 'bot' };

      it.each([...violations, ...onlyOnChange])(
        'on a change, which changes nothing: %s',
        async (_, body, code) => {
          const user = await world.account();
          const before = await readUser(user);
          expect(await put(user, { ...change, ...body })).toMatchObject(refusal(400, code));
          expect(await readUser(user)).toEqual(before);
        },
      );

      it.each(violations)('on a creation, which creates nothing: %s', async (_, body, code) => {
        const user = world.userId(world.freshName());
        expect(await put(user, { ...change, ...body })).toMatchObject(refusal(400, code));
        expect(await world.admin.get(at(user))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      });

      it('the first failing check determines the refusal', async () => {
        const steps: [Fields, string][] = [
          [{ threepids: [{}] }, 'M_MISSING_PARAM'],
          [{ external_ids: 1 }, 'M_BAD_JSON'],
          [{ user_type: 1 }, 'M_UNKNOWN'],
          [{ admin: 1 }, 'M_BAD_JSON'],
          [{ password: 1 }, 'M_UNKNOWN'],
          [{ logout_devices: 1 }, 'M_UNKNOWN'],
          [{ deactivated: 1 }, 'M_UNKNOWN'],
          [{ locked: 1 }, 'M_UNKNOWN'],
        ];
        const user = await world.account();
        for (let i = 0; i < steps.length; i++) {
          const body = Object.assign({}, ...steps.slice(i).map(([fields]) => fields));
          expect(await put(user, body), Object.keys(body)[0]).toMatchObject(
            refusal(400, steps[i]?.[1] ?? ''),
          );
        }
      });

      it('lengths are counted in characters, whatever their encoded size', async () => {
        const fields = { displayname: '😀'.repeat(256), avatar_url: `mxc://test/${'a'.repeat(989)}` };
        expect(await put(await world.account(), fields)).toMatchObject({ status: 200, body: fields });
        expect(await put(await world.account(), { password: '😀'.repeat(512) })).toMatchObject({
          status: 200,
        });
      });
    });
  });

  describe('creating', () => {
    it('returns 201 with the complete user', async () => {
      const user = world.userId(world.freshName('created'));
      const fields = { displayname: 'New', admin: true, user_type: 'bot', avatar_url: GOOD_URI };
      const threepids = [email(), { medium: 'msisdn', address: '447700900000' }];
      const external_ids = [externalId(), externalId()];
      const reply = await put(user, { ...fields, threepids, external_ids });
      expect(reply).toMatchObject({
        status: 201,
        body: { name: user, ...fields, admin: 1, is_guest: 0, deactivated: 0, locked: false, erased: false },
      });
      expect(reply.body.threepids).toEqual(threepids.map((item) => expect.objectContaining(item)));
      expect(reply.body.external_ids).toEqual(expect.arrayContaining(external_ids));
      expect(reply.body).toEqual(await readUser(user));
    });

    it('requires only an object', async () => {
      const localpart = world.freshName('bare');
      expect(await put(world.userId(localpart), {})).toMatchObject({
        status: 201,
        body: { displayname: localpart, admin: 0, user_type: null, avatar_url: null, threepids: [] },
      });
    });

    it.each([
      ['empty', { displayname: '' }, { displayname: null }],
      ['white space only', { displayname: ' \t' }, { displayname: null }],
      ['white space around it', { displayname: ' A B ' }, { displayname: 'A B' }],
      ['an empty avatar', { avatar_url: '' }, { avatar_url: null }],
      ['an avatar that is not a string', { avatar_url: 1 }, { avatar_url: null }],
      ['null for everything that may be null', { password: null, user_type: null }, { user_type: null }],
      ['null lists', { threepids: null, external_ids: null }, { threepids: [], external_ids: [] }],
      ['locked, which is ignored', { locked: true }, { locked: false }],
      ['deactivated, which is ignored', { deactivated: true }, { deactivated: 0 }],
      ['active', { deactivated: false, locked: false, logout_devices: false }, { deactivated: 0 }],
      ['unknown keys', { name: '@other:test', unknown: 1, is_guest: 1 }, { is_guest: 0 }],
    ])('with %s', async (_, fields, expected) => {
      const user = world.userId(world.freshName());
      expect(await put(user, fields)).toMatchObject({ status: 201, body: { name: user, ...expected } });
    });

    it('null selects the default display name', async () => {
      const localpart = world.freshName();
      const reply = await put(world.userId(localpart), { displayname: null, avatar_url: null });
      expect(reply).toMatchObject({ status: 201, body: { displayname: localpart, avatar_url: null } });
    });

    it('creates neither device nor token', async () => {
      const user = await world.account('quiet', { password: 'secret' });
      const devices = await world.admin.get(path`/_service/admin/v2/users/${user}/devices`);
      expect(devices.body).toEqual({ devices: [], total: 0 });
    });

    it('an account with a password can log in, one without cannot', async () => {
      const withPassword = await world.account('able', { password: 'secret' });
      const without = await world.account('unable');
      const login = (user: string, password: string) =>
        world.http('POST', '/_proto/client/v3/login', {
          body: { type: 'm.login.password', identifier: { type: 'm.id.user', user }, password },
        });
      expect(await login(withPassword, 'secret')).toMatchObject({ status: 200 });
      expect(await login(without, '')).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      expect(await login(without, 'secret')).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });

    it.each([
      ['upper case', 'Alice'],
      ['white space', 'a b'],
      ['an empty localpart', ''],
      ['a leading underscore', '_a'],
      ['digits only', '123'],
      ['a non-ASCII letter', 'zoë'],
      ['a NUL', 'a\0b'],
      ['256 characters in all', 'a'.repeat(250)],
      ['40,000 characters', 'a'.repeat(40_000)],
    ])('with an invalid user name is refused: %s', async (_, localpart) => {
      expect(await put(world.userId(localpart), {})).toMatchObject(refusal(400, 'M_INVALID_USERNAME'));
    });

    it('with the external id of another user is refused and leaves no account', async () => {
      const id = externalId();
      await world.account('holder', { external_ids: [id] });
      const user = world.userId(world.freshName());
      expect(await put(user, { external_ids: [externalId(), id] })).toMatchObject(refusal(409, 'M_UNKNOWN'));
      expect(await world.admin.get(at(user))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    });
  });

  describe('changing', () => {
    it('returns 200 with the complete user', async () => {
      const user = await world.account();
      const reply = await put(user, { displayname: 'Changed' });
      expect(reply).toMatchObject({ status: 200, body: { name: user, displayname: 'Changed' } });
      expect(reply.body).toEqual(await readUser(user));
    });

    it('keeps what the body does not name', async () => {
      const user = await world.account('kept', {
        displayname: 'Kept',
        avatar_url: GOOD_URI,
        admin: true,
        user_type: 'bot',
        threepids: [email()],
        external_ids: [externalId()],
      });
      const before = await readUser(user);
      expect(await put(user, {})).toMatchObject({ status: 200, body: before });
      await put(user, { threepids: null, external_ids: null, password: null });
      expect(await readUser(user)).toEqual(before);
    });

    it('accepts the whole record back, as tools send it', async () => {
      const user = await world.account('whole', { threepids: [email()], external_ids: [externalId()] });
      const before = await readUser(user);
      const record = {
        ...before,
        id: user,
        avatar_src: null,
        avatar_url: undefined,
        creation_ts_ms: before.creation_ts,
        admin: false,
        is_guest: false,
        deactivated: false,
        locked: false,
        user_type: null,
      };
      expect(await put(user, record)).toMatchObject({ status: 200 });
      expect(await readUser(user)).toEqual(before);
    });

    it('accepts an avatar that is not a content URI if the user has set it', async () => {
      const user = await world.user();
      const { userId } = user;
      const avatar_url = 'https://example.org/a.png';
      await user.put(path`/_proto/client/v3/profile/${userId}/avatar_url`, { body: { avatar_url } });
      expect(await put(userId, { avatar_url, admin: false })).toMatchObject({
        status: 200,
        body: { avatar_url },
      });
      expect(await put(userId, { avatar_url: `${avatar_url}?` })).toMatchObject({ status: 400 });
    });

    it.each([
      [{ displayname: ' A\tB ' }, { displayname: 'A\tB' }],
      [{ displayname: '' }, { displayname: null }],
      [{ displayname: '  ' }, { displayname: null }],
      [{ avatar_url: 'mxc://elsewhere/x' }, { avatar_url: 'mxc://elsewhere/x' }],
      [{ avatar_url: '' }, { avatar_url: null }],
      [{ admin: true }, { admin: 1 }],
      [{ user_type: 'support' }, { user_type: 'support' }],
      [{ user_type: null }, { user_type: null }],
      [{ locked: true }, { locked: true }],
      [{ locked: false }, { locked: false }],
    ])('sets %j', async (fields, expected) => {
      const user = await world.account('x', { displayname: 'X', avatar_url: GOOD_URI, user_type: 'bot' });
      expect(await put(user, fields)).toMatchObject({ status: 200, body: expected });
      expect(await put(user, fields)).toMatchObject({ status: 200, body: expected });
    });

    it('works on a deactivated account', async () => {
      const user = await world.account();
      await put(user, { deactivated: true });
      expect(await put(user, { displayname: 'Still here', deactivated: true })).toMatchObject({
        status: 200,
        body: { displayname: 'Still here', deactivated: 1 },
      });
    });

    it('server administrators cannot demote themselves', async () => {
      const admin = await world.user('admin', { admin: true });
      const demote = await admin.put(at(admin.userId), { body: { admin: false } });
      expect(demote).toMatchObject(refusal(400, 'M_UNKNOWN'));
      const confirm = await admin.put(at(admin.userId), { body: { admin: true } });
      expect(confirm).toMatchObject({ status: 200, body: { admin: 1 } });
      expect(await put(admin.userId, { admin: false })).toMatchObject({ status: 200, body: { admin: 0 } });
    });
  });

  describe('threepids', () => {
    const set = async (user: string, threepids: unknown) =>
      (await put(user, { threepids })).body.threepids as Threepid[];

    it('replace the whole list; kept ones keep their times', async ({ skip }) => {
      const [kept, removed, added] = [email(), email(), email()];
      const user = await world.account();
      const [before] = await set(user, [kept, removed]);
      if (!world.moveClock) return skip('the set-up cannot move its clock');
      world.moveClock(5_000);
      const after = await set(user, [kept, added]);
      const now = (before?.added_at ?? 0) + 5_000;
      expect(after).toEqual(expect.arrayContaining([before, { ...added, added_at: now, validated_at: now }]));
      expect(after).toHaveLength(2);
    });

    it('threepids are all removed by an empty list', async () => {
      const user = await world.account('x', { threepids: [email()] });
      expect(await set(user, [])).toEqual([]);
    });

    it('store e-mail addresses in one spelling, without duplicates', async () => {
      const name = world.freshName('Mixed.Case');
      const user = await world.account();
      const spellings = [`${name}@EXAMPLE.org`, ` ${name.toUpperCase()}@example.ORG `];
      const stored = await set(
        user,
        spellings.map((address) => ({ medium: 'email', address })),
      );
      expect(stored).toEqual([
        expect.objectContaining({ medium: 'email', address: `${name.toLowerCase()}@example.org` }),
      ]);
    });

    it('move from another user', async () => {
      const shared = email();
      const [other, user] = [await world.account('other', { threepids: [shared] }), await world.account()];
      expect(await put(user, { threepids: [shared] })).toMatchObject({ status: 200 });
      await world.whenIdle();
      expect((await readUser(user)).threepids).toMatchObject([shared]);
      expect((await readUser(other)).threepids).toEqual([]);
      const found = await world.admin.get(path`/_service/admin/v1/threepid/email/users/${shared.address}`);
      expect(found.body).toEqual({ user_id: user });
    });

    it('move from another user to a new one', async () => {
      const shared = email();
      const other = await world.account('other', { threepids: [shared] });
      const user = await world.account('new', { threepids: [shared] });
      await world.whenIdle();
      expect((await readUser(user)).threepids).toMatchObject([shared]);
      expect((await readUser(other)).threepids).toEqual([]);
    });
  });

  describe('external ids', () => {
    it('replace the whole set; null keeps it, an empty list clears it', async () => {
      const [kept, removed, added] = [externalId(), externalId(), externalId()];
      const user = await world.account('x', { external_ids: [kept, removed] });
      const changed = (await put(user, { external_ids: [kept, added] })).body.external_ids;
      expect(changed).toEqual(expect.arrayContaining([kept, added]));
      expect(changed).toHaveLength(2);
      expect((await put(user, { external_ids: null })).body.external_ids).toHaveLength(2);
      expect((await put(user, { external_ids: [] })).body.external_ids).toEqual([]);
    });

    it('external ids are refused if they belong to another user, and the set stays', async () => {
      const [taken, own] = [externalId(), externalId()];
      const holder = await world.account('holder', { external_ids: [taken] });
      const user = await world.account('x', { external_ids: [own] });
      expect(await put(user, { external_ids: [externalId(), taken] })).toMatchObject(
        refusal(409, 'M_UNKNOWN'),
      );
      expect((await readUser(user)).external_ids).toEqual([own]);
      expect((await readUser(holder)).external_ids).toEqual([taken]);
    });

    it('can be assigned again after they were removed; the same id at another provider is a different one', async () => {
      const id = externalId();
      const first = await world.account('first', { external_ids: [id] });
      expect(
        await put(await world.account(), { external_ids: [{ ...id, auth_provider: 'saml' }] }),
      ).toMatchObject({ status: 200 });
      await put(first, { external_ids: [] });
      expect(await put(await world.account(), { external_ids: [id] })).toMatchObject({ status: 200 });
    });

    it('accept any provider and any text', async () => {
      const odd = { auth_provider: 'a"b\\c', external_id: `${world.freshName()} ü/😀","` };
      const user = await world.account('x', { external_ids: [odd] });
      expect((await readUser(user)).external_ids).toEqual([odd]);
    });

    it('may contain duplicates', async () => {
      const id = externalId();
      const reply = await put(await world.account(), { external_ids: [id, id] });
      expect(reply).toMatchObject({ status: 200, body: { external_ids: [id] } });
    });
  });

  describe('the password', () => {
    it('logs out all devices', async () => {
      const user = await world.user();
      const other = await world.login(user);
      expect(await put(user.userId, { password: 'new' })).toMatchObject({ status: 200 });
      await world.whenIdle();
      const unknown = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });
      expect(await user.get(WHOAMI)).toMatchObject(unknown);
      expect(await other.get(WHOAMI)).toMatchObject(unknown);
      const devices = await world.admin.get(path`/_service/admin/v2/users/${user.userId}/devices`);
      expect(devices.body.total).toBe(0);
      expect(await world.login({ ...user, password: 'new' })).toMatchObject({ userId: user.userId });
      await expect(world.login(user)).rejects.toThrow('403');
    });

    it('keeps all devices on request', async () => {
      const user = await world.user();
      await put(user.userId, { password: 'new', logout_devices: false });
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
      expect(await world.login({ ...user, password: 'new' })).toMatchObject({ userId: user.userId });
    });

    it('of the caller keeps the calling device', async () => {
      const admin = await world.user('admin', { admin: true });
      const other = await world.login(admin);
      const own = await admin.put(at(admin.userId), { body: { password: 'new' } });
      expect(own).toMatchObject({ status: 200 });
      await world.whenIdle();
      expect(await admin.get(WHOAMI)).toMatchObject({ status: 200 });
      expect(await other.get(WHOAMI)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
      const devices = await world.admin.get(path`/_service/admin/v2/users/${admin.userId}/devices`);
      expect(devices.body).toMatchObject({ devices: [{ device_id: admin.deviceId }], total: 1 });
    });

    it('changes nothing if null or absent', async () => {
      const user = await world.user();
      await put(user.userId, { password: null });
      await put(user.userId, { logout_devices: true });
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
      expect(await world.login(user)).toMatchObject({ userId: user.userId });
    });
  });

  describe('deactivating', () => {
    it('has the effect of the deactivation endpoint, without erasure', async () => {
      const user = await world.user('gone', { displayname: 'Kept' });
      await put(user.userId, { threepids: [email()] });
      expect(await put(user.userId, { deactivated: true })).toMatchObject({
        status: 200,
        body: { deactivated: 1, erased: false, displayname: 'Kept', threepids: [] },
      });
      expect(await user.get(WHOAMI)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
    });

    it('false on an active account needs no password and does nothing', async () => {
      const user = await world.user();
      expect(await put(user.userId, { deactivated: false })).toMatchObject({
        status: 200,
        body: { deactivated: 0 },
      });
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
    });
  });

  describe('reactivating', () => {
    async function deactivated() {
      const user = await world.user('back', { displayname: 'Back' });
      await put(user.userId, { threepids: [email()], external_ids: [externalId()] });
      await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`, { body: { erase: true } });
      await world.whenIdle();
      return user;
    }

    it('requires a password', async () => {
      const user = await deactivated();
      expect(await put(user.userId, { deactivated: false })).toMatchObject(refusal(400, 'M_UNKNOWN'));
      expect(await readUser(user.userId)).toMatchObject({ deactivated: 1 });
    });

    it('with a password, restores the account without its former data', async () => {
      const user = await deactivated();
      expect(await put(user.userId, { deactivated: false, password: 'again' })).toMatchObject({
        status: 200,
        body: { deactivated: 0, erased: false, displayname: null, threepids: [] },
      });
      expect(await user.get(WHOAMI)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
      await expect(world.login(user)).rejects.toThrow('403');
      const back = await world.login({ ...user, password: 'again' });
      expect(await back.get(WHOAMI)).toMatchObject({ status: 200 });
    });

    it('with null as the password, activates the account without one', async () => {
      const user = await deactivated();
      expect(await put(user.userId, { deactivated: false, password: null })).toMatchObject({
        status: 200,
        body: { deactivated: 0 },
      });
      await expect(world.login(user)).rejects.toThrow('403');
    });
  });
});

oneProcessChapter(
  '2.2 Changing a user with password changes disabled',
  (world) => {
    const put = (userId: string, body: unknown) => world.admin.put(at(userId), { body });

    it('a password is refused', async () => {
      const user = await world.account();
      expect(await put(user, { password: 'x' })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });

    it('a new account is refused with a password, and created without one', async () => {
      const user = world.userId(world.freshName());
      expect(await put(user, { password: 'x' })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      expect(await world.admin.get(at(user))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      expect(await put(user, {})).toMatchObject({ status: 201 });
    });

    it('registration is refused, and that with the shared secret stores no password', async () => {
      const body = { username: world.freshName(), password: 'x', auth: { type: 'm.login.dummy' } };
      expect(await world.http('POST', '/_proto/client/v3/register', { body })).toMatchObject(
        refusal(403, 'M_FORBIDDEN'),
      );
      const username = world.freshName();
      const registered = await world.register({ username, password: 'x' });
      expect(registered).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
      const login = { type: 'm.login.password', identifier: { type: 'm.id.user', user: username } };
      expect(
        await world.http('POST', '/_proto/client/v3/login', { body: { ...login, password: 'x' } }),
      ).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });

    it('reactivation needs no password, and accepts none', async () => {
      const user = await world.account();
      await put(user, { deactivated: true });
      expect(await put(user, { deactivated: false, password: 'x' })).toMatchObject(
        refusal(403, 'M_FORBIDDEN'),
      );
      expect((await world.admin.get(at(user))).body.deactivated).toBe(1);
      expect(await put(user, { deactivated: false })).toMatchObject({
        status: 200,
        body: { deactivated: 0 },
      });
    });

    it('resetting a password is refused, after the body is read and before the user is looked up', async () => {
      const reset = (userId: string, body: unknown) =>
        world.admin.post(path`/_service/admin/v1/reset_password/${userId}`, { body });
      const user = await world.account();
      expect(await reset(user, { new_password: 'x' })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      expect(await reset('@nobody:test', { new_password: 'x' })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      expect(await reset(user, {})).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
    });
  },
  { config: { passwords: { localdb_enabled: false } } },
);
