import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter, oneProcessChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const AVATAR = 'mxc://test/avatar';

interface Profile {
  displayname?: string;
  avatar_url?: string;
}

chapter('7.5 Profiles', (world) => {
  const change = (userId: string, fields: object) =>
    world.admin.put(path`/_service/admin/v2/users/${userId}`, { body: fields });

  describe.each(['/_proto/client/v3', '/_proto/client/r0', '/_matrix/client/v3'])('at %s', (prefix) => {
    const whole = (userId: string) => `${prefix}${path`/profile/${userId}`}`;
    const displayname = (userId: string) => `${whole(userId)}/displayname`;
    const avatarUrl = (userId: string) => `${whole(userId)}/avatar_url`;
    const read = (target: string) => world.http<Profile>('GET', target);

    it('profiles are public, in whole and in parts', async () => {
      const user = await world.account('alice', { displayname: 'Alice', avatar_url: AVATAR });
      expect((await read(whole(user))).body).toEqual({ displayname: 'Alice', avatar_url: AVATAR });
      expect((await read(displayname(user))).body).toEqual({ displayname: 'Alice' });
      expect((await read(avatarUrl(user))).body).toEqual({ avatar_url: AVATAR });
    });

    it('contain only the parts that are set', async () => {
      const user = await world.account('alice', { displayname: '' });
      expect(await read(whole(user))).toMatchObject({ status: 200, text: '{}' });
      expect(await read(displayname(user))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      expect(await read(avatarUrl(user))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    });

    it.each([
      ['no id', 'alice', 400, 'M_INVALID_PARAM'],
      ['an unknown user', '@nobody:test', 404, 'M_NOT_FOUND'],
      ['a user of another server', '@alice:elsewhere', 404, 'M_NOT_FOUND'],
    ])('profiles are not found for %s', async (_, userId, status, errcode) => {
      for (const target of [whole(userId), displayname(userId), avatarUrl(userId)]) {
        expect(await read(target)).toMatchObject(refusal(status, errcode));
      }
    });

    it('remain after deactivation, and are removed by erasure', async () => {
      const user = await world.account('alice', { displayname: 'Alice' });
      const deactivation = path`/_service/admin/v1/deactivate/${user}`;
      await world.admin.post(deactivation);
      expect((await read(whole(user))).body).toEqual({ displayname: 'Alice' });
      await world.admin.post(deactivation, { body: { erase: true } });
      for (const target of [whole(user), displayname(user), avatarUrl(user)]) {
        expect(await read(target)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      }
    });

    it('can be changed by their users', async () => {
      const user = await world.user('alice');
      for (const name of ['Alice', ' A ', '\u{1F600}'.repeat(256), '%_\\"<b>']) {
        const put = await user.put(displayname(user.userId), { body: { displayname: name, more: 1 } });
        expect(put).toMatchObject({ status: 200, text: '{}' });
        expect((await read(whole(user.userId))).body).toEqual({ displayname: name });
      }
      await user.put(avatarUrl(user.userId), { body: { avatar_url: AVATAR } });
      expect((await read(avatarUrl(user.userId))).body).toEqual({ avatar_url: AVATAR });
      expect((await world.admin.get(path`/_service/admin/v2/users/${user.userId}`)).body).toMatchObject({
        displayname: '%_\\"<b>',
        avatar_url: AVATAR,
      });
    });

    it.each([null, ''])('lose a part that is set to %j', async (nothing) => {
      const user = await world.user('alice');
      await user.put(avatarUrl(user.userId), { body: { avatar_url: AVATAR } });
      expect(await user.put(displayname(user.userId), { body: { displayname: nothing } })).toMatchObject({
        status: 200,
      });
      expect((await read(whole(user.userId))).body).toEqual({ avatar_url: AVATAR });
      await user.put(avatarUrl(user.userId), { body: { avatar_url: nothing } });
      expect((await read(whole(user.userId))).body).toEqual({});
    });

    it.each([
      ['no body', '', '', 'M_NOT_JSON'],
      ['no object', '[]', '[]', 'M_BAD_JSON'],
      ['a missing key', '{"avatar_url":"x"}', '{"displayname":"x"}', 'M_MISSING_PARAM'],
      ['another type', '{"displayname":1}', '{"avatar_url":["x"]}', 'M_INVALID_PARAM'],
      [
        'an excessive length',
        JSON.stringify({ displayname: 'x'.repeat(257) }),
        JSON.stringify({ avatar_url: 'x'.repeat(1_001) }),
        'M_UNKNOWN',
      ],
    ])('cannot be changed with %s', async (_, name, avatar, errcode) => {
      const user = await world.user('alice');
      expect(await user.put(displayname(user.userId), { rawBody: name })).toMatchObject(
        refusal(400, errcode),
      );
      expect(await user.put(avatarUrl(user.userId), { rawBody: avatar })).toMatchObject(
        refusal(400, errcode),
      );
      expect((await read(whole(user.userId))).body).toEqual({ displayname: user.localpart });
    });

    it('cannot be changed by other users', async () => {
      const [user, other] = [await world.user('alice'), await world.user('bob')];
      const body = { displayname: 'Taken', avatar_url: AVATAR };
      for (const target of [displayname(other.userId), avatarUrl(other.userId)]) {
        expect(await user.put(target, { body })).toMatchObject(refusal(400, 'M_FORBIDDEN'));
        expect(await world.http('PUT', target, { body })).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
      }
      expect((await read(whole(other.userId))).body).toEqual({ displayname: other.localpart });
      for (const [id, errcode] of [
        ['alice', 'M_INVALID_PARAM'],
        ['@alice:elsewhere', 'M_UNKNOWN'],
      ] as const) {
        expect(await user.put(displayname(id), { body })).toMatchObject(refusal(400, errcode));
      }
    });

    it('can be changed by administrators', async () => {
      const user = await world.user('alice');
      const body = { displayname: 'Named', avatar_url: AVATAR };
      await world.admin.put(displayname(user.userId), { body });
      await world.admin.put(avatarUrl(user.userId), { body });
      expect((await read(whole(user.userId))).body).toEqual(body);
      const unknown = displayname('@nobody:test');
      expect(await world.admin.put(unknown, { body })).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    });
  });

  const target = (userId: string, key: string) => path`/_proto/client/v3/profile/${userId}/${key}`;
  const nameOf = async (userId: string) =>
    (await world.http<Profile>('GET', target(userId, 'displayname'))).body.displayname;

  it('of locked users are readable, and cannot be changed by them', async () => {
    const user = await world.user('alice');
    await change(user.userId, { locked: true });
    const body = { displayname: 'Changed' };
    expect(await user.put(target(user.userId, 'displayname'), { body })).toMatchObject(
      refusal(401, 'M_USER_LOCKED', { soft_logout: true }),
    );
    expect(await nameOf(user.userId)).toBe(user.localpart);
  });

  it('of suspended users cannot be changed by them', async () => {
    const user = await world.user('alice');
    await world.seed?.account(user.userId, { suspended: true });
    for (const [key, body] of [
      ['displayname', { displayname: 'Changed' }],
      ['avatar_url', { avatar_url: AVATAR }],
    ] as const) {
      expect(await user.put(target(user.userId, key), { body })).toMatchObject(
        refusal(403, 'M_USER_SUSPENDED'),
      );
    }
    expect(await nameOf(user.userId)).toBe(user.localpart);
    await world.admin.put(target(user.userId, 'displayname'), { body: { displayname: 'Changed' } });
    expect(await nameOf(user.userId)).toBe('Changed');
  });

  it('of shadow-banned users can be changed by them', async () => {
    const user = await world.user('alice');
    await world.seed?.account(user.userId, { shadow_banned: true });
    const put = await user.put(target(user.userId, 'displayname'), { body: { displayname: 'Changed' } });
    expect(put).toMatchObject({ status: 200, text: '{}' });
    expect(await nameOf(user.userId)).toBe('Changed');
  });

  it('of guests have a name and no avatar', async () => {
    const guest = await world.user('guest');
    await world.seed?.account(guest.userId, { is_guest: true });
    const named = await guest.put(target(guest.userId, 'displayname'), { body: { displayname: 'Visitor' } });
    expect(named).toMatchObject({ status: 200 });
    const avatarReply = await guest.put(target(guest.userId, 'avatar_url'), { body: { avatar_url: AVATAR } });
    expect(avatarReply).toMatchObject(refusal(403, 'M_GUEST_ACCESS_FORBIDDEN'));
  });
});

oneProcessChapter(
  '7.5 Profiles that need a token',
  (world) => {
    const targets = (userId: string) =>
      ['', '/displayname', '/avatar_url'].map((part) => path`/_proto/client/v3/profile/${userId}` + part);

    it('profiles that need a token are refused without a valid one, before the user is looked up', async () => {
      const user = await world.account('alice', { displayname: 'Alice', avatar_url: AVATAR });
      for (const target of [user, '@nobody:test', 'alice'].flatMap(targets)) {
        expect(await world.http('GET', target)).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
        const reply = await world.http('GET', target, { token: 'nobody' });
        expect(reply).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false }));
      }
    });

    it('profiles that need a token are read with the token of any user, also in the query, or of a guest', async () => {
      const user = await world.account('alice', { displayname: 'Alice', avatar_url: AVATAR });
      const reader = await world.user();
      const guest = await world.http<{ access_token: string }>(
        'POST',
        '/_proto/client/v3/register?kind=guest',
        { body: {} },
      );
      for (const target of targets(user)) {
        for (const token of [reader.token, guest.body.access_token])
          expect(await world.http('GET', target, { token })).toMatchObject({ status: 200 });
        const query = { access_token: reader.token };
        expect(await world.http('GET', target, { query })).toMatchObject({ status: 200 });
      }
    });

    it('profiles that need a token are refused to locked users', async () => {
      const reader = await world.user();
      await world.admin.put(path`/_service/admin/v2/users/${reader.userId}`, { body: { locked: true } });
      for (const target of targets(reader.userId))
        expect(await reader.get(target)).toMatchObject(refusal(401, 'M_USER_LOCKED'));
    });
  },
  { config: { profiles: { require_auth: true }, registration: { guests: true } } },
);

chapter('12 Further fields of profiles', (world) => {
  const whole = (userId: string) => `/_proto/client/v3${path`/profile/${userId}`}`;
  const field = (userId: string, name: string) => `${whole(userId)}${path`/${name}`}`;
  const read = async (target: string) => (await world.http<object>('GET', target)).body;

  it('further fields of profiles are set, read by everyone, and removed by their user', async () => {
    const user = await world.user('alice');
    await user.put(`${whole(user.userId)}/displayname`, { body: { displayname: 'Alice' } });
    const further = {
      'm.tz': 'Europe/Zurich',
      'org.example.pronouns': [{ summary: 'they' }],
      'org.example.none': null,
    };
    for (const [name, value] of Object.entries(further)) {
      const put = await user.put(field(user.userId, name), { body: { [name]: value, other: 1 } });
      expect(put).toMatchObject({ status: 200, text: '{}' });
      expect(await read(field(user.userId, name))).toEqual({ [name]: value });
    }
    expect(await read(whole(user.userId))).toEqual({ displayname: 'Alice', ...further });
    for (const name of [...Object.keys(further), 'm.tz'])
      expect(await user.delete(field(user.userId, name))).toMatchObject({ status: 200, text: '{}' });
    expect(await read(whole(user.userId))).toEqual({ displayname: 'Alice' });
    await user.put(field(user.userId, 'avatar_url'), { body: { avatar_url: 'mxc://test/a' } });
    for (const name of ['displayname', 'avatar_url', 'displayname'])
      expect(await user.delete(field(user.userId, name))).toMatchObject({ status: 200, text: '{}' });
    expect(await read(whole(user.userId))).toEqual({});
    expect(await user.get(field(user.userId, 'm.tz'))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
  });

  it('stay within a size', async () => {
    const user = await world.user('alice');
    const put = (name: string, value: unknown) =>
      user.put(field(user.userId, name), { body: { [name]: value } });
    expect(await put('org.example.long', 'x'.repeat(60_000))).toMatchObject({ status: 200 });
    expect(await put('org.example.longer', 'x'.repeat(6_000))).toMatchObject(
      refusal(400, 'M_PROFILE_TOO_LARGE'),
    );
    expect(await put('a'.repeat(255), 1)).toMatchObject({ status: 200 });
    expect(await put('a'.repeat(256), 1)).toMatchObject(refusal(400, 'M_KEY_TOO_LARGE'));
    expect(await put('org.example.longest', 'x'.repeat(70_000))).toMatchObject(
      refusal(400, 'M_PROFILE_TOO_LARGE'),
    );
    // The present value of the field does not count.
    expect(await put('org.example.long', 'x'.repeat(65_000))).toMatchObject({ status: 200 });
  });

  it('belong to their user, and are removed by erasure', async () => {
    const user = await world.user('alice');
    const other = await world.user('bob');
    const target = field(user.userId, 'm.tz');
    const body = { 'm.tz': 'UTC' };
    expect(await other.put(target, { body })).toMatchObject(refusal(400, 'M_FORBIDDEN'));
    for (const name of ['m.tz', 'displayname', 'avatar_url'])
      expect(await other.delete(field(user.userId, name))).toMatchObject(refusal(400, 'M_FORBIDDEN'));
    expect(await world.http('PUT', target, { body })).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
    expect(await world.admin.put(target, { body })).toMatchObject({ status: 200 });
    const { body: account } = await user.get('/_proto/client/v3/capabilities');
    expect(account).toMatchObject({ capabilities: { 'm.profile_fields': { enabled: true } } });
    await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`, { body: { erase: true } });
    expect(await world.http('GET', target)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
  });
});

oneProcessChapter('12 Refused fields of profiles', (world) => {
  it.each([
    ['m.tz', { 'm.tz': 1 }, 400, 'M_INVALID_PARAM'],
    ['m.tz', { other: 'UTC' }, 400, 'M_MISSING_PARAM'],
    ['m.tz', ['UTC'], 400, 'M_BAD_JSON'],
    ['M.tz', { 'M.tz': 'UTC' }, 400, 'M_INVALID_PARAM'],
    ['1', { 1: 1 }, 400, 'M_INVALID_PARAM'],
    ['a b', { 'a b': 1 }, 400, 'M_INVALID_PARAM'],
    ['constructor', {}, 400, 'M_MISSING_PARAM'],
  ])('refused fields of profiles are those like %s with %j', async (name, body, status, errcode) => {
    const user = await world.user('alice');
    const target = path`/_proto/client/v3/profile/${user.userId}/${name}`;
    expect(await user.put(target, { body })).toMatchObject(refusal(status, errcode));
    const { body: profile } = await user.get<object>(path`/_proto/client/v3/profile/${user.userId}`);
    expect(Object.keys(profile)).toEqual(['displayname']);
  });
});
