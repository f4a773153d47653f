import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const get = (userId: string) => path`/_service/admin/v2/users/${userId}`;

chapter('2.1 One user', (world) => {
  it.each([
    ['no id', 'nobody', 400, 'M_INVALID_PARAM'],
    ['an empty id', '', 400, 'M_INVALID_PARAM'],
    ['no sigil', 'a:test', 400, 'M_INVALID_PARAM'],
    ['another sigil', '!a:test', 400, 'M_INVALID_PARAM'],
    ['no colon', '@a', 400, 'M_INVALID_PARAM'],
    ['white space before it', ' @a:test', 400, 'M_INVALID_PARAM'],
    ['a user of another server', '@a:elsewhere', 400, 'M_UNKNOWN'],
    ['a server name in another case', '@a:TEST', 400, 'M_UNKNOWN'],
    ['a server with a port', '@a:test:8448', 400, 'M_UNKNOWN'],
    ['no server', '@a:', 400, 'M_UNKNOWN'],
    ['white space after it', '@a:test ', 400, 'M_UNKNOWN'],
    ['an unknown user', '@nobody:test', 404, 'M_NOT_FOUND'],
    ['an empty localpart', '@:test', 404, 'M_NOT_FOUND'],
    ['an invalid localpart', '@A B/ü:test', 404, 'M_NOT_FOUND'],
  ])('one user is refused for %s', async (_, userId, status, errcode) => {
    expect(await world.admin.get(get(userId))).toMatchObject(refusal(status, errcode));
  });

  it('one user is looked up by exact spelling', async () => {
    const user = await world.account('exact');
    expect(await world.admin.get(get(user.toUpperCase().replace('TEST', 'test')))).toMatchObject(
      refusal(404, 'M_NOT_FOUND'),
    );
  });

  it('has all fields, null if unset', async () => {
    const before = Date.now();
    const { localpart, userId } = await world.user('plain');
    const { status, body } = await world.admin.get(get(userId));
    expect(status).toBe(200);
    expect(body).toEqual({
      name: userId,
      displayname: localpart,
      threepids: [],
      avatar_url: null,
      is_guest: 0,
      admin: 0,
      deactivated: 0,
      erased: false,
      shadow_banned: 0,
      creation_ts: expect.any(Number),
      appservice_id: null,
      consent_server_notice_sent: null,
      consent_version: null,
      consent_ts: null,
      external_ids: [],
      user_type: null,
      locked: false,
      last_seen_ts: null,
      suspended: false,
    });
    // Milliseconds: current times in seconds would be a thousand times smaller.
    expect(body.creation_ts as number).toBeGreaterThan(before / 100);
  });

  it('has all values that were set', async () => {
    const external_ids = [{ auth_provider: 'oidc', external_id: world.freshName() }];
    const address = `${world.freshName()}@example.org`;
    const user = await world.account('full', {
      displayname: 'Full',
      avatar_url: 'mxc://test/abc',
      admin: true,
      user_type: 'support',
      threepids: [{ medium: 'email', address }],
      external_ids,
    });
    const { body } = await world.admin.get(get(user));
    expect(body).toMatchObject({
      displayname: 'Full',
      avatar_url: 'mxc://test/abc',
      admin: 1,
      user_type: 'support',
      external_ids,
    });
    expect(body.threepids).toEqual([
      { medium: 'email', address, added_at: expect.any(Number), validated_at: expect.any(Number) },
    ]);
  });

  it('never contains the password', async () => {
    const { userId, password } = await world.user();
    const { text } = await world.admin.get(get(userId));
    expect(text).not.toContain(password);
    expect(text).not.toMatch(/argon2|hash|password/);
  });

  describe('0.8 is returned in every state', () => {
    it('deactivated, erased', async () => {
      const user = await world.account();
      await world.admin.post(path`/_service/admin/v1/deactivate/${user}`, { body: { erase: true } });
      expect(await world.admin.get(get(user))).toMatchObject({
        status: 200,
        body: { deactivated: 1, erased: true },
      });
    });

    it('locked', async () => {
      const user = await world.account();
      await world.admin.put(get(user), { body: { locked: true } });
      expect(await world.admin.get(get(user))).toMatchObject({ status: 200, body: { locked: true } });
    });

    it('guest, shadow-banned', async ({ skip }) => {
      if (!world.seed) return skip('the set-up cannot make guests');
      const user = await world.account();
      await world.seed.account(user, { is_guest: true, shadow_banned: true });
      expect(await world.admin.get(get(user))).toMatchObject({
        status: 200,
        body: { is_guest: 1, shadow_banned: 1 },
      });
    });
  });
});
