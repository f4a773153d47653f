import { path, registrationMac } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter, oneProcessChapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { openServer, USER_TYPES as TYPES } from './shared-settings.ts';

const ADMIN_REGISTER = '/_service/admin/v1/register';
const REGISTER = '/_proto/client/v3/register';
const V2 = '/_service/admin/v2/users';

const DUMMY = { type: 'm.login.dummy' };

const at = (userId: string) => path`/_service/admin/v2/users/${userId}`;

interface Page {
  users: { name: string; user_type: string | null }[];
  total: number;
}

chapter(
  '14.3 User types',
  (world) => {
    const put = (userId: string, body: unknown) => world.admin.put(at(userId), { body });
    const typeOf = async (userId: string) => (await world.admin.get(at(userId))).body.user_type;
    const freshUser = () => world.userId(world.freshName());

    it.each(['bot', 'support', ...TYPES])(
      'PUT creates and changes an account of the type %s',
      async (type) => {
        const user = freshUser();
        expect(await put(user, { user_type: type })).toMatchObject({
          status: 201,
          body: { user_type: type },
        });
        const other = await world.account();
        expect(await put(other, { user_type: type })).toMatchObject({
          status: 200,
          body: { user_type: type },
        });
        expect(await typeOf(other)).toBe(type);
      },
    );

    it.each(['bot', 'support', ...TYPES])(
      'the MAC of a registration covers the type %s',
      async (userType) => {
        const username = world.freshName();
        const reply = await world.register<{ user_id: string }>({ username, password: 'x', userType });
        expect(reply.status).toBe(200);
        expect(await typeOf(reply.body.user_id)).toBe(userType);
        const { nonce } = (await world.http<{ nonce: string }>('GET', ADMIN_REGISTER)).body;
        const input = { nonce, username: world.freshName(), password: 'x' };
        const mac = registrationMac(world.running.sharedSecret ?? '', input);
        const body = { ...input, user_type: userType, mac };
        expect(await world.http('POST', ADMIN_REGISTER, { body })).toMatchObject(refusal(403, 'M_UNKNOWN'));
      },
    );

    it.each(['Staff', 'staff ', 'human', 'W', ''])('the type %j is refused', async (userType) => {
      const user = await world.account();
      const refused = refusal(400, 'M_UNKNOWN');
      expect(await put(user, { displayname: 'Changed', user_type: userType })).toMatchObject(refused);
      expect(await world.admin.get(at(user))).not.toMatchObject({ body: { displayname: 'Changed' } });
      const none = freshUser();
      expect(await put(none, { user_type: userType })).toMatchObject(refused);
      expect(await world.admin.get(at(none))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      const username = world.freshName();
      expect(await world.register({ username, password: 'x', userType })).toMatchObject(refused);
      expect(await world.admin.get(at(world.userId(username)))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    });

    it('the type is checked at its place in the order of checks', async () => {
      const user = await world.account();
      const user_type = 'human';
      expect(await put(user, { external_ids: [{}], user_type })).toMatchObject(
        refusal(400, 'M_MISSING_PARAM'),
      );
      expect(await put(user, { user_type, admin: 1 })).toMatchObject(refusal(400, 'M_UNKNOWN'));
      const { nonce } = (await world.http<{ nonce: string }>('GET', ADMIN_REGISTER)).body;
      const body = { nonce, username: world.freshName(), password: 'x', user_type };
      const reply = await world.http<{ error: string }>('POST', ADMIN_REGISTER, { body });
      expect(reply).toMatchObject(refusal(400, 'M_UNKNOWN'));
      // The MAC is not checked yet: the caller may be a stranger.
      for (const type of TYPES) expect(reply.body.error).not.toContain(type);
    });

    it('null clears the type of an account', async () => {
      const user = await world.account('typed', { user_type: 'staff' });
      expect(await put(user, { user_type: null })).toMatchObject({ status: 200, body: { user_type: null } });
    });

    describe('the lists', () => {
      const NAME = 'listed-types';

      it('show the types, sort by them, and exclude them', async () => {
        const types = [null, 'bot', ...TYPES];
        const users = new Map<string | null, string>();
        for (const type of types) users.set(type, await world.account(NAME, type ? { user_type: type } : {}));
        // Their accounts may have more flags.
        await put(users.get('～') ?? '', { locked: true });
        await world.admin.put(path`/_service/admin/v1/suspend/${users.get('staff') ?? ''}`, {
          body: { suspend: true },
        });
        await world.whenIdle();
        const sorted = [null, 'bot', 'staff', 'ws00000', 'été 😀', '～'];
        for (const version of ['v2', 'v3']) {
          const list = async (query: object) => {
            const all = { user_id: NAME, locked: 'true', order_by: 'user_type', ...query };
            const { body } = await world.admin.get<Page>(`/_service/admin/${version}/users`, { query: all });
            expect(body.total).toBe(body.users.length);
            for (const { name, user_type } of body.users) expect(name).toBe(users.get(user_type));
            return body.users.map(({ user_type }) => user_type);
          };
          expect(await list({})).toEqual(sorted);
          expect(await list({ dir: 'b' })).toEqual(sorted.toReversed());
          for (const type of sorted) {
            const others = sorted.filter((other) => other !== type);
            expect(await list({ not_user_type: [type ?? ''] }), String(type)).toEqual(others);
          }
          expect(await list({ not_user_type: ['', 'bot', ...TYPES] })).toEqual([]);
        }
      });
    });
  },
  { config: openServer },
);

oneProcessChapter(
  '14.3 The default user type',
  (world) => {
    const typeOf = async (userId: string) => (await world.admin.get(at(userId))).body.user_type;

    it.each<[string, () => Promise<string>, string]>([
      ['PUT without a type', () => world.account(), 'staff'],
      ['PUT with null', () => world.account('x', { user_type: null }), 'staff'],
      ['PUT with a type', () => world.account('x', { user_type: 'bot' }), 'bot'],
      ['the shared secret', async () => (await world.user()).userId, 'staff'],
      [
        'the shared secret and a type',
        async () => (await world.user('x', { userType: 'bot' })).userId,
        'bot',
      ],
      [
        'a registration by the user',
        async () => {
          const body = { username: world.freshName(), password: 'x', auth: DUMMY };
          return (await world.http<{ user_id: string }>('POST', REGISTER, { body })).body.user_id;
        },
        'staff',
      ],
      ['a registration of a guest', async () => (await world.guest()).userId, 'staff'],
    ])(
      'is given to an account that is created by %s, unless the request has one',
      async (_, create, type) => {
        expect(await typeOf(await create())).toBe(type);
      },
    );

    it('the default user type is not given to an existing account', async () => {
      const user = await world.account('x', { user_type: 'bot' });
      expect(await world.admin.put(at(user), { body: { user_type: null } })).toMatchObject({
        status: 200,
        body: { user_type: null },
      });
      expect(await world.admin.put(at(user), { body: { displayname: 'X' } })).toMatchObject({
        body: { user_type: null },
      });
    });

    it('the default user type is not given to the account that sends server notices', async () => {
      const user = await world.user();
      const body = { user_id: user.userId, content: { msgtype: 'm.text', body: 'Hello' } };
      expect(await world.admin.post('/_service/admin/v1/send_server_notice', { body })).toMatchObject({
        status: 200,
      });
      expect(await typeOf(world.userId('notices'))).toBeNull();
    });
  },
  {
    config: {
      accounts: { user_types: ['staff'], default_user_type: 'staff' },
      registration: { enabled: true, guests: true },
      notices: { enabled: true },
    },
  },
);

oneProcessChapter(
  '14.3 The default user type support',
  (world) => {
    it('exempts new accounts from the limit of monthly active users', async () => {
      const body = { username: world.freshName(), password: 'x', auth: DUMMY };
      expect(await world.http('POST', REGISTER, { body })).toMatchObject({ status: 200 });
    });
  },
  {
    config: {
      accounts: { default_user_type: 'support' },
      registration: { enabled: true },
      monthly_active_users: { enabled: true, limit: 0 },
    },
  },
);

oneProcessChapter(
  '14.3 A user type that is no longer configured',
  (world) => {
    it('stays on its accounts, and cannot be given to others', async () => {
      const user = await world.account('kept', { user_type: 'staff' });
      await world.restart({});
      // The second is what a tool sends that has read the account.
      for (const fields of [{}, { user_type: 'staff' }]) {
        const displayname = `With ${Object.keys(fields).length} more`;
        expect(await world.admin.put(at(user), { body: { displayname, ...fields } })).toMatchObject({
          status: 200,
          body: { displayname, user_type: 'staff' },
        });
      }
      const list = async (not_user_type: string[]) =>
        (await world.admin.get<Page>(V2, { query: { user_id: user, not_user_type } })).body.users;
      expect(await list([])).toMatchObject([{ name: user, user_type: 'staff' }]);
      expect(await list(['staff'])).toEqual([]);
      const body = { user_type: 'staff' };
      const none = world.userId(world.freshName());
      for (const other of [await world.account(), none, user.toUpperCase()]) {
        expect(await world.admin.put(at(other), { body })).toMatchObject(refusal(400, 'M_UNKNOWN'));
      }
      expect(await world.admin.put(at(user), { body: { user_type: null } })).toMatchObject({ status: 200 });
      expect(await world.admin.put(at(user), { body })).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });
  },
  { config: { accounts: { user_types: ['staff'] } } },
);
