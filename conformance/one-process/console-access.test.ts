import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';
import { unprovedSession } from '../console/unproved-session.ts';
import { userWithRoles } from '../console/with-roles.ts';
import { openServer } from '../shared-settings.ts';

const ME = '/_service/admin/v1/me';
const WEBHOOKS = '/_service/admin/v1/webhooks';

chapter(
  'Access in the console',
  (world) => {
    withChromium(world, ['pages/access'], (chromium) => {
      it('makes a token after a proof, shows its secret once, and revokes it', async () => {
        const admin = await world.user('token-maker', { admin: true });
        const browserSession = await unprovedSession(world, chromium, admin);
        const page = await browserSession.open('/access?tab=tokens');
        const name = world.freshName('nightly job');
        await page.getByRole('button', { name: 'Create a token' }).click();
        const form = page.getByRole('dialog', { name: 'Create a token' });
        await form.getByLabel(/^Name/).fill(name);
        await form.getByRole('checkbox', { name: 'users:read' }).check();
        await form.getByRole('button', { name: 'Create a token' }).click();

        const proof = page.getByRole('dialog', { name: 'Prove that it is you' });
        await proof.getByLabel(/^Password/).fill('wrong');
        await proof.getByRole('button', { name: 'Continue' }).click();
        await proof.getByRole('alert').waitFor();
        await proof.getByLabel(/^Password/).fill(admin.password);
        await proof.getByRole('button', { name: 'Continue' }).click();

        const shown = page.getByRole('dialog', { name: 'Secret of the token' });
        const token = (await shown.getByText(/^stw_/).textContent()) ?? '';
        const me = (await world.http('GET', ME, { token })).body;
        expect(me).toMatchObject({ name, scopes: ['users:read'], token_kind: 'automation_token' });
        await shown.getByRole('button', { name: 'Close' }).last().click();
        await shown.waitFor({ state: 'detached' });
        expect(await page.content()).not.toContain(token);

        await page.getByRole('link', { name }).click();
        await page.getByRole('button', { name: 'Revoke' }).click();
        const order = page.getByRole('dialog', { name: 'Revoke the token' });
        await order.getByText('This cannot be taken back.', { exact: false }).waitFor();
        await order.getByRole('button', { name: 'Revoke the token' }).click();
        await page.getByRole('link', { name }).waitFor({ state: 'detached' });
        expect((await world.http('GET', ME, { token })).status).toBe(401);
        // The refusal that asked for the proof, and the wrong password.
        expect(browserSession.problems.splice(0).filter((each) => !/40[13]/.test(each))).toEqual([]);
        await browserSession.context.close();
      });

      it('makes a webhook, tests it and shows what its receiver answered; sends a notice', async () => {
        const bodies: string[] = [];
        const receiver = createServer(async (request, response) => {
          bodies.push(await text(request));
          response.writeHead(204).end();
        }).listen(0, '127.0.0.1');
        await once(receiver, 'listening');
        const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
        const browserSession = await chromium.browserSession(world.admin);
        const page = await browserSession.open('/access?tab=webhooks');
        await page.getByRole('button', { name: 'Create a webhook' }).click();
        const form = page.getByRole('dialog', { name: 'Create a webhook' });
        await form.getByLabel(/^URL/).fill(url);
        await form.getByLabel(/^Types of events/).fill('webhook.secret_rotated');
        await form.getByLabel(/^Types of events/).press('Enter');
        await form.getByRole('button', { name: 'Create a webhook' }).click();
        const shown = page.getByRole('dialog', { name: 'Secret of the webhook' });
        await shown.getByText(/^whsec_/).waitFor();
        await shown.getByRole('button', { name: 'Close' }).last().click();

        await page.getByRole('link', { name: url }).click();
        await page.getByRole('button', { name: 'Test', exact: true }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Send a test message' }).click();
        const delivery = page.getByRole('dialog', { name: 'Delivery' });
        await delivery.getByText('delivered').waitFor();
        await delivery.getByRole('cell', { name: '204' }).waitFor();
        expect(bodies.map((body) => JSON.parse(body))).toMatchObject([{ type: 'webhook.test' }]);

        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Switch off' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Switch the webhook off' }).click();
        await page.getByRole('button', { name: 'Switch on' }).waitFor();
        const { webhooks } = (
          await world.admin.get<{ webhooks: { url: string; enabled: boolean }[] }>(WEBHOOKS)
        ).body;
        expect(webhooks.find((each) => each.url === url)).toMatchObject({ enabled: false });
        receiver.close();

        const addressee = await world.user('addressee');
        await page.goto(`${new URL(page.url()).pathname.replace(/\/webhooks.*/, '')}?tab=notices`);
        await page.getByLabel(/^To the user/).fill(addressee.userId);
        await page.getByLabel(/^Text/).fill('The server rests tonight');
        await page.getByRole('button', { name: 'Send the notice' }).click();
        await page.getByRole('status').getByText('The notice was sent').waitFor();
        const { rooms } = (await addressee.get<{ rooms: { invite: object } }>('/_proto/client/v3/sync')).body;
        expect(Object.keys(rooms.invite)).toHaveLength(1);

        browserSession.expectNoProblems();
        await browserSession.context.close();
      });

      it('shows a new role to an auditor at once, and offers the auditor nothing that would be refused', async () => {
        const browserSession = await chromium.browserSession(world.admin);
        const page = await browserSession.open('/access');
        const other = await chromium.browserSession(await userWithRoles(world, 'auditor'));
        const watched = await other.open('/access');
        await watched.getByRole('rowheader', { name: 'moderator' }).first().waitFor();
        const name = world.freshName('helpers');
        await page.getByRole('button', { name: 'Create a role' }).click();
        const form = page.getByRole('dialog', { name: 'Create a role' });
        await form.getByLabel(/^Name/).fill(name);
        await form.getByRole('checkbox', { name: 'users:read' }).check();
        await form.getByRole('button', { name: 'Create a role' }).click();
        await watched.getByRole('rowheader', { name }).waitFor();
        expect((await world.admin.get(path`/_service/admin/v1/roles/${name}`)).body).toMatchObject({
          scopes: ['users:read'],
        });
        browserSession.expectNoProblems();

        const tabs = await watched.getByRole('tab').allTextContents();
        expect(tabs).toEqual(['Roles', 'Tokens', 'Administrators', 'Webhooks']);
        for (const tab of tabs) {
          await watched.getByRole('tab', { name: tab }).click();
          const panel = watched.getByRole('tabpanel', { name: tab });
          await panel.waitFor();
          const orders = panel.getByRole('button', {
            name: /^(Create|Edit|Delete|Revoke|End|Start|Switch|Test|New|Try)/,
          });
          expect(await orders.count()).toBe(0);
        }
        other.expectNoProblems();
        await browserSession.context.close();
        await other.context.close();
      });

      it('says that support has nothing there', async () => {
        const support = await chromium.browserSession(await userWithRoles(world, 'support'));
        const page = await support.open('/access');
        await page.getByText('Your roles do not permit anything here', { exact: false }).waitFor();
        support.expectNoProblems();
        await support.context.close();
      });
    });
  },
  { config: openServer },
);
