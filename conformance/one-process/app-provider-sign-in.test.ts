import { join } from 'node:path';
import { servePage } from '@steward/testing/serve-page';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { oneProcessChapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';
import { openFixedAddress } from '../fixed-address.ts';
import { startIdentityProvider } from '../identity-provider.ts';

let port = 0;
const address = await openFixedAddress(() => port);
const provider = await startIdentityProvider([`${address.origin}/_proto/client/v3/login/sso/callback/real`]);
const app = await servePage({ program: join(import.meta.dirname, '../app-page.ts'), files: {} });
afterAll(async () => {
  app.close();
  await provider.close();
  await address.close();
});

/** Signs in at the provider, and permits it to tell who that is, if it asks. */
async function passProvider(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Waits until the page of the app has its program, and makes a client with some options. */
async function makeClient(page: Page, options: object): Promise<void> {
  await page.waitForFunction('globalThis.createClient');
  await page.evaluate(
    `{ globalThis.client = createClient(${JSON.stringify({ baseUrl: address.origin, ...options })}); }`,
  );
}

oneProcessChapter(
  'An app of the client library in a browser',
  (world) => {
    withChromium(world, ['sign-in'], (chromium) => {
      it('signs in with an identity provider, and removes its device with a new sign-in there', async () => {
        port = Number(new URL(world.running.url).port);
        const name = world.freshName();
        const { context } = await chromium.browserSession(undefined, { origin: address.origin });
        const page = await context.newPage();
        await page.goto(app.url);
        await makeClient(page, {});
        await page.evaluate("{ location.href = client.getSsoLoginUrl(location.href, 'sso', 'real'); }");
        await passProvider(page, name);
        await page.getByRole('link', { name: `Continue to ${new URL(app.url).origin}` }).click();
        await page.waitForURL(/loginToken=/);
        await makeClient(page, {});
        const session = await page.evaluate<{ user_id: string; device_id: string; access_token: string }>(
          "client.loginRequest({ type: 'm.login.token', token: new URL(location).searchParams.get('loginToken') })",
        );
        expect(session.user_id).toBe(`@${name}:${world.serverName}`);

        const { user_id: userId, device_id: deviceId, access_token: accessToken } = session;
        await makeClient(page, { userId, deviceId, accessToken });
        const challenge = await page.evaluate<{ session: string; flows: unknown }>(
          'client.deleteDevice(client.getDeviceId()).catch(({ data }) => data)',
        );
        expect(challenge.flows).toEqual([{ stages: ['m.login.sso'] }]);
        const opened = context.waitForEvent('page');
        await page.evaluate(`{
          globalThis.done = new Promise((resolve) => {
            addEventListener('message', ({ data }) => data === 'authDone' && resolve(data));
          });
          open(client.getFallbackAuthUrl('m.login.sso', ${JSON.stringify(challenge.session)}));
        }`);
        const proof = await opened;
        await proof.getByText(`remove the device ${deviceId}`).waitFor();
        await proof.getByRole('link', { name: 'Sign in with A real provider' }).click();
        await passProvider(proof, name);
        expect(await page.evaluate('done')).toBe('authDone');
        const auth = JSON.stringify({ session: challenge.session });
        await page.evaluate(`client.deleteDevice(client.getDeviceId(), ${auth})`);
        expect(await page.evaluate('client.whoami().catch(({ errcode }) => errcode)')).toBe(
          'M_UNKNOWN_TOKEN',
        );
        await context.close();
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
            ...{ id: 'real', name: 'A real provider', issuer: provider.issuer, client_id: 'steward' },
            ...{ client_secret_file: provider.secretFile, create: 'on' },
          },
        ],
      },
    },
  },
);
