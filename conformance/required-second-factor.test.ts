import { type Actor, path } from '@steward/testing';
import { TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ME = '/_service/admin/v1/me';
const OWN = `${ME}/totp`;
const SESSION = '/_service/admin/v1/session';
const SESSIONS = `${SESSION}s`;
const USERS = '/_service/admin/v2/users';

const GRACE_MS = 3_600_000;

const ok = { status: 200 };
const mustEnrol = (text: string) =>
  refusal(403, 'STEWARD_SECOND_FACTOR_REQUIRED', { error: expect.stringContaining(text) as unknown });

interface Me {
  readonly scopes: readonly string[];
  readonly second_factor_due_ts?: number;
  readonly session_id: string;
}

pairedChapter(
  'A required second factor',
  (world) => {
    const holderOf = async (role: string): Promise<Actor> => {
      const user = await world.user();
      const roles = path`/_service/admin/v1/users/${user.userId}/roles`;
      expect(await world.admin.put(roles, { body: { roles: [role] } })).toMatchObject(ok);
      return user;
    };
    const meOf = async (browser: Browser) => (await browser.send<Me>('GET', ME)).body;

    it('takes the rights of access tokens of accounts with a named role, in the time for the enrolment too', async () => {
      const moderator = await holderOf('moderator');
      for (const actor of [moderator, await world.login(moderator)])
        expect(await actor.get(USERS)).toMatchObject(mustEnrol('automation token'));
      expect(await moderator.post(SESSION)).toMatchObject(mustEnrol('administrator session'));
      expect(await moderator.get('/_proto/client/v3/account/whoami')).toMatchObject(ok);
      expect(await (await holderOf('auditor')).get(USERS)).toMatchObject(ok);
      const { access_token: token } = (
        await world.admin.post<{ access_token: string }>(
          path`/_service/admin/v1/users/${moderator.userId}/login`,
        )
      ).body;
      expect(await world.http('GET', USERS, { token })).toMatchObject(mustEnrol('automation token'));
      const made = await world.admin.post<{ token: string }>('/_service/admin/v1/tokens', {
        body: { name: 'program', scopes: ['users:read'] },
      });
      expect(await world.http('GET', USERS, { token: made.body.token })).toMatchObject(ok);
    });

    it('leaves sessions their rights for the time that begins with the first sign-in, and then only the enrolment', async () => {
      const moderator = await holderOf('moderator');
      const browser = new Browser(world);
      const started = await browser.signIn<{ session: { created_ts: number }; scopes: string[] }>(moderator);
      const due = started.body.session.created_ts + GRACE_MS;
      expect(started.body.scopes).toContain('users:read');
      expect(await meOf(browser)).toMatchObject({ second_factor_due_ts: due });
      expect(await browser.send('GET', USERS)).toMatchObject(ok);
      world.moveClock?.(GRACE_MS / 2);
      // A later sign-in begins no new time.
      const later = new Browser(world);
      await later.signIn(moderator);
      expect(await meOf(later)).toMatchObject({ second_factor_due_ts: due });
      if (!world.moveClock) return;

      world.moveClock(GRACE_MS / 2);
      for (const each of [later, new Browser(world)]) {
        if (each !== later) expect((await each.signIn(moderator)).body).toMatchObject({ scopes: [] });
        expect(await each.send('GET', USERS)).toMatchObject(mustEnrol('until you set one up'));
        expect(await each.send('GET', SESSIONS)).toMatchObject(mustEnrol('until you set one up'));
        expect(await meOf(each)).toMatchObject({ scopes: [], second_factor_due_ts: due });
      }
      const ready = new Browser(world);
      await ready.signIn(moderator);
      const { secret } = (await ready.send<{ secret: string }>('POST', OWN)).body;
      const { server_ts: now } = (await ready.send<{ server_ts: number }>('GET', OWN)).body;
      const totp = new TOTP({ secret }).generate({ timestamp: now });
      expect(await ready.send('POST', `${OWN}/confirm`, { body: { totp } })).toMatchObject(ok);
      expect(await ready.send('GET', USERS)).toMatchObject(ok);
      expect(await meOf(ready)).not.toHaveProperty('second_factor_due_ts');
      // The others have not proved it.
      expect(await later.send('GET', USERS)).toMatchObject(refusal(401, 'STEWARD_STEP_UP_REQUIRED'));

      // Who loses the factor later has no rights before the next one.
      await world.admin.delete(path`/_service/admin/v1/users/${moderator.userId}/totp`);
      expect(await ready.send('GET', USERS)).toMatchObject(mustEnrol('until you set one up'));
    });
  },
  {
    config: {
      sessions: {
        require_second_factor: ['moderator', 'support'],
        second_factor_grace_ms: GRACE_MS,
        admin_idle_ms: 2 * GRACE_MS,
      },
    },
  },
);
