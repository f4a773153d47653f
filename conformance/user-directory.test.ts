import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { NOTICES, openServer } from './shared-settings.ts';

const SEARCH = '/_proto/client/v3/user_directory/search';

interface Found {
  limited: boolean;
  results: { user_id: string; display_name?: string; avatar_url?: string }[];
}

chapter(
  '7.5 The user directory, of all users',
  (world, { isOneProcess }) => {
    let searcher: Actor;
    beforeAll(async () => {
      searcher = await world.user('searcher');
    });
    const search = (body: object) => searcher.post<Found>(SEARCH, { body });
    const idsOf = async (term: string) =>
      (await search({ search_term: term, limit: 50 })).body.results.map(({ user_id }) => user_id).sort();
    const change = (userId: string, fields: object) =>
      world.admin.put(path`/_service/admin/v2/users/${userId}`, { body: fields });

    it.each(['/_proto/client/r0', '/_matrix/client/v3'])(
      'the user directory is served at %s',
      async (prefix) => {
        const body = { search_term: 'nobody' };
        expect(await searcher.post(`${prefix}/user_directory/search`, { body })).toMatchObject({
          status: 200,
          body: { limited: false, results: [] },
        });
      },
    );

    describe('a search', () => {
      let anna: string;
      let bare: string;
      beforeAll(async () => {
        const profile = { displayname: "Ánna Maria O'Brien (Work) 😀", avatar_url: 'mxc://test/a' };
        anna = await world.account('anna.x', profile);
        bare = await world.account('bare_localpart', { displayname: '' });
      });

      it.each([
        'Ánna',
        'ánn',
        'A\u0301NNA',
        'mari',
        'brien',
        "O'B",
        'work',
        '😀',
        'maria anna',
        'anna.x',
        'ＭＡＲＩＡ',
        ' maria ',
      ])('finds words and their prefixes, in any letter case: %j', async (term) => {
        expect(await idsOf(term)).toContain(anna);
      });

      it.each(['aria', 'nna', 'maria bob', 'zz', '%', '_', '\\', '.*', '^', '', ' ', '\uD800', '@', ':'])(
        'does not find names without such a word: %j',
        async (term) => {
          expect(await idsOf(term)).not.toContain(anna);
        },
      );

      it('finds ids, by the whole id or a prefix', async () => {
        for (const term of [bare, '@bare', '@bare_local', bare.slice(0, -2), bare.toUpperCase(), 'localp']) {
          expect(await idsOf(term), term).toContain(bare);
        }
        expect(await idsOf(`${bare}x`)).toEqual([]);
        expect(await idsOf('@bare:elsewhere')).toEqual([]);
      });

      it('returns the set parts of the profile', async () => {
        const named = await search({ search_term: anna });
        expect(named.body).toEqual({
          limited: false,
          results: [
            { user_id: anna, display_name: "Ánna Maria O'Brien (Work) 😀", avatar_url: 'mxc://test/a' },
          ],
        });
        expect((await search({ search_term: bare })).body.results).toEqual([{ user_id: bare }]);
      });

      it('finds the current names of users', async () => {
        await change(anna, { displayname: 'Johanna' });
        expect(await idsOf('johan')).toEqual([anna]);
        expect(await idsOf('maria')).toEqual([]);
      });
    });

    it.each([
      ['no body', '', 'M_NOT_JSON'],
      ['no object', '["x"]', 'M_BAD_JSON'],
      ['no term', '{"limit":1}', 'M_MISSING_PARAM'],
      ['a term that is not text', '{"search_term":1}', 'M_BAD_JSON'],
      ['a term with NUL', '{"search_term":"\\u0000"}', 'M_BAD_JSON'],
      ['a limit that is not a number', '{"search_term":"x","limit":"1"}', 'M_BAD_JSON'],
    ])('refuses %s', async (_, rawBody, errcode) => {
      expect(await searcher.post(SEARCH, { rawBody })).toMatchObject(refusal(400, errcode));
    });

    it('the user directory is refused to guests, and to unauthenticated callers', async () => {
      const body = { search_term: 'x' };
      const guest = await world.user('guest');
      await world.seed?.account(guest.userId, { is_guest: true });
      expect(await guest.post(SEARCH, { body })).toMatchObject(refusal(403, 'M_GUEST_ACCESS_FORBIDDEN'));
      expect(await world.http('POST', SEARCH, { body })).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
    });

    it('returns at most the requested number, and whether there are more', async () => {
      const count = 12;
      for (let n = 0; n < count; n++) await world.account('many', { displayname: 'Crowd' });
      const page = async (limit?: number) => {
        const { body } = await search({ search_term: 'crowd', limit });
        return [body.results.length, body.limited];
      };
      expect(await page()).toEqual([10, true]);
      expect(await page(3)).toEqual([3, true]);
      expect(await page(count - 1)).toEqual([count - 1, true]);
      expect(await page(count)).toEqual([count, false]);
      expect(await page(0)).toEqual([0, true]);
      expect(await page(-1)).toEqual([0, true]);
      expect(await page(Number.MAX_SAFE_INTEGER)).toEqual([count, false]);
    });

    it('never returns the searcher or the sender of notices', async () => {
      const sender = world.userId('notices');
      // The server makes the account with the first notice.
      const notice = { user_id: searcher.userId, content: { msgtype: 'm.text', body: 'x' } };
      await world.admin.post('/_service/admin/v1/send_server_notice', { body: notice });
      await change(sender, { displayname: 'Searcher of notices' });
      onTestFinished(async () => {
        await change(sender, { displayname: NOTICES.display_name });
      });
      expect(await idsOf('searcher')).toEqual([]);
      expect(await idsOf(searcher.userId)).toEqual([]);
      const other = await world.user();
      const found = await other.post<Found>(SEARCH, { body: { search_term: searcher.userId } });
      expect(found.body.results).toEqual([{ user_id: searcher.userId, display_name: searcher.localpart }]);
    });

    it.each<[string, object, object]>([
      ['locked', { locked: true }, { locked: false }],
      ['support', { user_type: 'support' }, { user_type: null }],
      ['deactivated', { deactivated: true }, { deactivated: false, password: 'x' }],
    ])('omits %s users until that changes', async (_, hiding, showing) => {
      const user = await world.account('hidden');
      expect(await idsOf(user)).toEqual([user]);
      await change(user, hiding);
      expect(await idsOf(user)).toEqual([]);
      expect(await idsOf('hidden')).not.toContain(user);
      await change(user, showing);
      expect(await idsOf(user)).toEqual([user]);
      expect(await idsOf('hidden')).toContain(user);
    });

    it('the user directory is open to suspended and shadow-banned users, and contains them', async () => {
      const user = await world.user('alice');
      await world.seed?.account(user.userId, { suspended: true, shadow_banned: true });
      const found = await user.post<Found>(SEARCH, { body: { search_term: searcher.userId } });
      expect(found.body.results).toHaveLength(1);
      expect(await idsOf(user.userId)).toEqual([user.userId]);
    });

    it.runIf(isOneProcess)('contains locked users where that is configured', async () => {
      const user = await world.account('shown');
      await change(user, { locked: true });
      await world.restart({
        config: { user_directory: { search_all_users: true, show_locked_users: true } },
      });
      expect(await idsOf('shown')).toEqual([user]);
      expect(await idsOf(user)).toEqual([user]);
    });
  },
  { config: openServer },
);
