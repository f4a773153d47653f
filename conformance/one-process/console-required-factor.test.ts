import { path } from '@steward/testing';
import { TOTP } from 'otpauth';
import { it } from 'vitest';
import { ownChapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';

const GRACE_MS = 3_600_000;

ownChapter(
  'A required second factor in the console',
  (world) => {
    withChromium(world, ['pages/me', 'sign-in'], (chromium) => {
      it('a second factor is announced while there is time, then set up before anything else, and the page of the link opens', async () => {
        const user = await world.user();
        const roles = path`/_service/admin/v1/users/${user.userId}/roles`;
        await world.admin.put(roles, { body: { roles: ['moderator'] } });
        const early = await chromium.browserSession(user);
        const banner = (await early.open('/rooms')).getByText('A second factor is required');
        await banner.waitFor();
        early.expectNoProblems();
        await early.context.close();
        if (!world.moveClock) return;

        world.moveClock(GRACE_MS);
        const late = await chromium.browserSession(user);
        const page = await late.open('/rooms');
        await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor();
        await page.getByRole('button', { name: 'Set up' }).click();
        const setUp = page.getByRole('dialog', { name: 'Set up the second factor' });
        await setUp.getByRole('button', { name: 'Continue' }).click();
        const secret = (await setUp.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
        const { server_ts: timestamp } = (await user.get<{ server_ts: number }>('/_service/admin/v1/me/totp'))
          .body;
        await setUp.getByLabel(/^Then enter the code/).fill(new TOTP({ secret }).generate({ timestamp }));
        await setUp.getByRole('button', { name: 'Confirm' }).click();
        const codes = page.getByRole('dialog', { name: 'Recovery codes' });
        await codes.getByRole('button', { name: 'Close' }).last().click();
        await page.getByRole('heading', { level: 1, name: 'Rooms' }).waitFor();
        late.expectNoProblems();
        await late.context.close();
      });
    });
  },
  {
    config: { sessions: { require_second_factor: ['moderator'], second_factor_grace_ms: GRACE_MS } },
  },
);
