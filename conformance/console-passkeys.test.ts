import { afterAll, expect, it } from 'vitest';
import { ownChapter } from './chapter.ts';
import { withChromium } from './console/chromium.ts';
import { openFixedAddress } from './fixed-address.ts';

let port = 0;
const fixed = await openFixedAddress(() => port);
afterAll(() => fixed.close());
/** Browsers have no passkeys at addresses without a name. */
const origin = `http://localhost:${new URL(fixed.origin).port}`;

ownChapter(
  'Passkeys in the console',
  (world) => {
    withChromium(world, ['pages/me', 'sign-in'], (chromium) => {
      it('a passkey is added, asked for after the password, signs in alone, is renamed and removed', async () => {
        port = Number(new URL(world.running.url).port);
        const user = await world.user('key-holder', { admin: true });
        const { context, open, problems } = await chromium.browserSession(undefined, { origin });
        const page = await open('/me');
        const devtools = await context.newCDPSession(page);
        await devtools.send('WebAuthn.enable');
        await devtools.send('WebAuthn.addVirtualAuthenticator', {
          options: {
            protocol: 'ctap2',
            transport: 'internal',
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true,
          },
        });
        const heading = page.getByRole('heading', { level: 1, name: 'Own sessions and second factor' });
        const enter = async () => {
          await page.getByLabel('User id or name').fill(user.localpart);
          await page.getByLabel(/^Password/).fill(user.password);
          await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        };
        const leave = async () => {
          await page.getByRole('button', { name: 'Sign out' }).click();
          await page.getByLabel('User id or name').waitFor();
        };
        await enter();
        await page.getByLabel(/^Name of a new passkey/).fill('Laptop');
        await page.getByRole('button', { name: 'Add a passkey' }).click();
        await page.getByRole('cell', { name: 'Laptop' }).waitFor();

        await leave();
        await enter();
        await page.getByRole('button', { name: 'Use a passkey' }).click();
        await heading.waitFor();
        // The sign-in without the passkey.
        expect(problems.splice(0).filter((each) => !each.includes('401'))).toEqual([]);

        await leave();
        await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
        await heading.waitFor();
        await page.getByRole('button', { name: 'Rename' }).click();
        const naming = page.getByRole('dialog', { name: 'Rename' });
        await naming.getByLabel(/^Name/).fill('Old laptop');
        await naming.getByRole('button', { name: 'Rename' }).click();
        await page.getByRole('cell', { name: 'Old laptop' }).waitFor();
        await page
          .getByRole('row', { name: /Old laptop/ })
          .getByRole('button', { name: 'Remove' })
          .click();
        const removal = page.getByRole('dialog', { name: 'Remove the passkey' });
        await removal.getByRole('button', { name: 'Remove the passkey' }).click();
        await page.getByRole('cell', { name: 'Old laptop' }).waitFor({ state: 'detached' });
        expect(problems).toEqual([]);
        await context.close();
      });
    });
  },
  { config: { server: { public_baseurl: origin } } },
);
