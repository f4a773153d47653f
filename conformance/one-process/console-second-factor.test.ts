import type { Actor } from '@steward/testing';
import { TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';

const TOTP_PATH = '/_service/admin/v1/me/totp';
const STEP_MS = 30_000;

chapter('The second factor in the console', (world) => {
  /** The code of a time step of the server. */
  const codeOf = async (user: Actor, secret: string, steps: number) => {
    const { server_ts: now } = (await user.get<{ server_ts: number }>(TOTP_PATH)).body;
    return new TOTP({ secret }).generate({ timestamp: now + steps * STEP_MS });
  };

  withChromium(world, ['pages/me', 'sign-in'], (chromium) => {
    it('the second factor in the console is set up, asked for at the next sign-in and in earlier sessions, and removed', async () => {
      const user = await world.user('two-factors', { admin: true });
      const [browserSession, earlier] = [
        await chromium.browserSession(user),
        await chromium.browserSession(user),
      ];
      world.moveClock?.(1);
      const page = await browserSession.open('/me');
      await page.getByRole('button', { name: 'Set up' }).click();
      const setUp = page.getByRole('dialog', { name: 'Set up the second factor' });
      await setUp
        .getByText('access tokens of this account have no administrative rights', { exact: false })
        .waitFor();
      await setUp.getByRole('button', { name: 'Continue' }).click();
      await setUp.getByRole('img', { name: /^QR code/ }).waitFor();
      const secret = (await setUp.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
      await setUp.getByLabel(/^Then enter the code/).fill(await codeOf(user, secret, 0));
      await setUp.getByRole('button', { name: 'Confirm' }).click();
      const shown = page.getByRole('dialog', { name: 'Recovery codes' });
      await shown.waitFor();
      const codes = await shown.locator('code').allTextContents();
      expect(codes).toHaveLength(10);
      await shown.getByRole('button', { name: 'Close' }).last().click();
      await page.getByText('10 recovery codes are left', { exact: false }).waitFor();
      browserSession.expectNoProblems();

      // A session of before has no rights until its user proves who they are.
      const suspended = await earlier.open('/me');
      await suspended.getByText('This session has no rights.').waitFor();
      await suspended.getByRole('button', { name: 'Prove it' }).click();
      const proof = suspended.getByRole('dialog', { name: 'Prove that it is you' });
      await proof.getByLabel(/^Password/).fill(user.password);
      await proof.getByRole('button', { name: 'Use a recovery code' }).click();
      await proof.getByLabel(/^Recovery code/).fill(codes[0] ?? '');
      await proof.getByRole('button', { name: 'Continue' }).click();
      await suspended.getByText('A server administrator may do everything', { exact: false }).waitFor();
      earlier.expectNoProblems();
      await earlier.context.close();

      const later = await chromium.browserSession(undefined);
      const signIn = await later.open('/me');
      await signIn.getByLabel('User id or name').fill(user.localpart);
      await signIn.getByLabel(/^Password/).fill(user.password);
      await signIn.getByRole('button', { name: 'Sign in' }).click();
      await signIn.getByLabel(/^Code of the authenticator app/).fill(await codeOf(user, secret, 1));
      await signIn.getByRole('button', { name: 'Sign in' }).click();
      await signIn.getByRole('heading', { level: 1, name: 'Own sessions and second factor' }).waitFor();
      // The sign-in without the code.
      expect(later.problems.splice(0).filter((each) => !each.includes('401'))).toEqual([]);
      await signIn.getByRole('button', { name: 'Remove' }).click();
      const removal = signIn.getByRole('dialog', { name: 'Remove the second factor' });
      await removal.getByRole('button', { name: 'Use a recovery code' }).click();
      await removal.getByLabel(/^Recovery code/).fill(codes[1] ?? '');
      await removal.getByRole('button', { name: 'Remove the second factor' }).click();
      await signIn.getByRole('button', { name: 'Set up' }).waitFor();
      expect((await user.get(TOTP_PATH)).body).toMatchObject({ enabled: false });
      later.expectNoProblems();
      await later.context.close();
      await browserSession.context.close();
    });
  });
});
