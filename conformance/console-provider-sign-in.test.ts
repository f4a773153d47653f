import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { ownChapter } from './chapter.ts';
import { CONSOLE, withChromium } from './console/chromium.ts';
import { openFixedAddress } from './fixed-address.ts';
import { startIdentityProvider } from './identity-provider.ts';

let port = 0;
const address = await openFixedAddress(() => port);
/** The groups of users at the provider. */
const groups = new Map<string, readonly string[]>();
const provider = await startIdentityProvider(
  [`${address.origin}/_service/admin/v1/session/oidc/company/callback`],
  (name) => groups.get(name) ?? [],
);
afterAll(async () => {
  await provider.close();
  await address.close();
});

/** Signs in at the provider, and permits it to tell who that is, if it asks. */
async function passProvider(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  const consent = page.getByRole('button', { name: 'Continue' });
  await consent.click();
}

ownChapter(
  'Signing in to the console with an identity provider',
  (world) => {
    withChromium(world, ['sign-in', 'session'], (chromium) => {
      const open = async (path: string) => {
        port = Number(new URL(world.running.url).port);
        const browserSession = await chromium.browserSession(undefined, { origin: address.origin });
        return { page: await browserSession.open(path), browserSession };
      };

      it('opens the page of the link with the role that the provider gives, which the next sign-in takes away', async () => {
        const name = world.freshName();
        groups.set(name, ['mods']);
        const first = await open('/tasks?state=failed');
        await first.page.getByRole('button', { name: 'Sign in with Company' }).click();
        await passProvider(first.page, name);
        await first.page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
        const { pathname, search, hash } = new URL(first.page.url());
        expect({ pathname, search, hash }).toEqual({
          pathname: `${CONSOLE}/tasks`,
          search: '?state=failed',
          hash: '',
        });
        expect(await first.page.evaluate('document.cookie')).toBe('');

        groups.delete(name);
        const second = await open('/');
        await second.page.getByRole('button', { name: 'Sign in with Company' }).click();
        await passProvider(second.page, name);
        await second.page.getByText('This account has no role on this server.').waitFor();
        await first.page.reload();
        await first.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
        await first.browserSession.context.close();
        await second.browserSession.context.close();
      });

      it('proves again who the user is in another tab, and then carries out the order', async () => {
        const name = world.freshName();
        groups.set(name, ['chiefs']);
        const { page, browserSession } = await open('/access?tab=tokens');
        await page.getByRole('button', { name: 'Sign in with Company' }).click();
        await passProvider(page, name);
        await page.getByRole('button', { name: 'Create a token' }).click();
        const form = page.getByRole('dialog', { name: 'Create a token' });
        await form.getByLabel(/^Name/).fill('Deploy');
        await form.getByRole('checkbox', { name: 'users:read' }).check();
        await form.getByRole('button', { name: 'Create a token' }).click();
        const opened = browserSession.context.waitForEvent('page');
        await page.getByRole('button', { name: 'Prove it with the identity provider' }).click();
        await passProvider(await opened, name);
        await page.getByRole('dialog', { name: 'Secret of the token' }).getByText(/^stw_/).waitFor();
        await browserSession.context.close();
      });
    });
  },
  {
    config: {
      server: { public_baseurl: address.origin },
      oidc: {
        allowed_addresses: ['127.0.0.1'],
        providers: [
          {
            id: 'company',
            name: 'Company',
            issuer: provider.issuer,
            client_id: 'steward',
            client_secret_file: provider.secretFile,
            create: 'on',
            roles_claim: 'groups',
            roles: { mods: 'moderator', chiefs: 'admin' },
          },
        ],
      },
    },
  },
);
