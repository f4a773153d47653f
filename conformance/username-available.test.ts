import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter, oneProcessChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

chapter('2.15 Whether a user name is available', (world) => {
  describe.each([
    ['administrators', '/_service/admin/v1/username_available'],
    ['clients', '/_proto/client/v3/register/available'],
    ['older clients', '/_proto/client/r0/register/available'],
  ])('for %s', (callers, target) => {
    const request = (query: Readonly<Record<string, string>>) =>
      world.http('GET', target, {
        query,
        ...(callers === 'administrators' ? { token: world.admin.token } : {}),
      });

    it('requires a name', async () => {
      expect(await request({})).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
    });

    it.each(['free', 'a', 'a.b-c_d=e/f+g', '1a', 'a1', '-a', '.a', '=', '/', '+'])(
      '%j is available',
      async (username) => {
        expect(await request({ username })).toMatchObject({ status: 200, text: '{"available":true}' });
      },
    );

    it.each([
      ['upper case', 'Free'],
      ['white space', 'a b'],
      ['a space decoded from a plus sign', ' '],
      ['non-ASCII letters', 'zoë'],
      ['non-ASCII digits', '\u0661a'],
      ['a colon', 'a:b'],
      ['a sigil', '@a'],
      ['a NUL', 'a\0'],
      ['a line feed at the end', 'a\n'],
      ['no letter at all', ''],
      ['a leading underscore', '_a'],
      ['only an underscore', '_'],
      ['digits only', '123'],
      ['a single digit', '0'],
    ])('%s is not available: %j', async (_, username) => {
      expect(await request({ username })).toMatchObject(refusal(400, 'M_INVALID_USERNAME'));
    });

    it('an id of 255 characters is available, one of 256 is not', async () => {
      const longest = 'a'.repeat(255 - world.userId('').length);
      expect(await request({ username: longest })).toMatchObject({ status: 200 });
      expect(await request({ username: `${longest}a` })).toMatchObject(refusal(400, 'M_INVALID_USERNAME'));
    });

    it('a taken name is not available, even if its account is deactivated', async () => {
      const user = await world.account('taken');
      const username = user.slice(1, user.indexOf(':'));
      expect(await request({ username })).toMatchObject(refusal(400, 'M_USER_IN_USE'));
      expect(await request({ username: username.toUpperCase() })).toMatchObject(
        refusal(400, 'M_INVALID_USERNAME'),
      );
      await world.admin.post(path`/_service/admin/v1/deactivate/${user}`);
      expect(await request({ username })).toMatchObject(refusal(400, 'M_USER_IN_USE'));
    });
  });
});

oneProcessChapter(
  '2.15 Whether a user name is available, with registration disabled',
  (world) => {
    it('the endpoint is restricted to administrators', async () => {
      const query = { username: 'free' };
      expect(await world.admin.get('/_service/admin/v1/username_available', { query })).toMatchObject({
        status: 200,
      });
      for (const version of ['v3', 'r0']) {
        const target = `/_proto/client/${version}/register/available`;
        expect(await world.http('GET', target, { query })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      }
    });
  },
  { config: { registration: { enabled: false } } },
);
