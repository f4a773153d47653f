import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { withChromium } from './console/chromium.ts';

chapter('Signing in to the console', (world) => {
  withChromium(world, ['sign-in'], (chromium) => {
    it('keeps the address, and no script can read the session', async () => {
      const user = await world.user('console-admin', { admin: true });
      const browserSession = await chromium.browserSession(undefined);
      const page = await browserSession.open('/tasks?state=failed');
      await page.getByLabel('User id or name').fill(`\u2068${user.localpart}\u2069`);
      await page.getByLabel(/^Password/).fill(user.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
      expect(new URL(page.url()).search).toBe('?state=failed');
      expect(await page.evaluate('document.cookie')).toBe('');
      expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(
        /sws_|syt_|stw_/,
      );
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('refuses a wrong password without saying which of the two is wrong', async () => {
      const user = await world.user('console-mistyped', { admin: true });
      const browserSession = await chromium.browserSession(undefined);
      const page = await browserSession.open('/');
      await page.getByLabel('User id or name').fill(user.localpart);
      await page.getByLabel(/^Password/).fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      const alert = page.getByRole('alert');
      await alert.getByText('The name, the password or the code is wrong.').waitFor();
      // The codes are for those who ask for help.
      expect(await alert.getByText('M_FORBIDDEN (403)').isVisible()).toBe(false);
      await alert.getByText('Details').click();
      await alert.getByText('M_FORBIDDEN (403)').waitFor();
      await browserSession.context.close();
    });
  });
});
