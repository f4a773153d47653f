import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';
import { runAxe } from '../console/run-axe.ts';
import { userWithRoles } from '../console/with-roles.ts';

const RECENT = `localStorage.getItem('steward.recent')`;

chapter('The palette of the console', (world) => {
  const openPalette = async (page: Page) => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /^Find a user/ });
    await field.waitFor();
    return field;
  };

  withChromium(world, ['palette'], (chromium) => {
    it('opens what is found by a part of a name or by an id, and remembers it until the user signs out', async () => {
      const name = world.freshName('Ełżbieta');
      const found = await world.user('sought', { displayname: `Dr. ${name}` });
      const { room_id: room } = (
        await found.post<{ room_id: string }>('/_proto/client/v3/createRoom', {
          body: { name: `Den of ${name}` },
        })
      ).body;
      await world.whenIdle();
      const admin = await world.user('finder', { admin: true });
      const browserSession = await chromium.browserSession(admin);
      const page = await browserSession.open('/users');
      // The key works in fields, too.
      await page.getByRole('searchbox').focus();
      let field = await openPalette(page);
      expect(await page.getByRole('group', { name: 'Pages' }).getByRole('option').count()).toBe(8);
      await field.pressSequentially(name.slice(1));
      const users = page.getByRole('group', { name: 'Users' });
      await users.getByRole('option', { name: found.userId, selected: true }).waitFor();
      await page
        .getByRole('group', { name: 'Rooms' })
        .getByRole('option', { name: `Den of ${name}` })
        .waitFor();
      await page.getByRole('status').getByText('2 results').waitFor();
      // The field says which line is selected.
      await field.press('ArrowDown');
      const selected = page.getByRole('option', { name: `Den of ${name}`, selected: true });
      await selected.waitFor();
      expect(await field.getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'));
      for (const scheme of ['light', 'dark'] as const) {
        const violations = await runAxe(page, scheme);
        expect(violations.map(({ id, nodes }) => [scheme, id, nodes.map(({ target }) => target)])).toEqual(
          [],
        );
      }
      await field.press('ArrowUp');
      await field.press('Enter');
      await page.waitForURL(`**/users/${encodeURIComponent(found.userId)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await field.waitFor({ state: 'detached' });

      field = await openPalette(page);
      await page
        .getByRole('group', { name: 'Opened last' })
        .getByRole('option', { name: found.userId })
        .waitFor();
      // As it was copied from a text that keeps its direction to itself.
      await field.fill(`\u2068${room}\u2069`);
      const direct = page.getByRole('group', { name: 'By id' });
      await direct.getByRole('option', { name: `Den of ${name}`, selected: true }).waitFor();
      await field.press('Enter');
      await page.getByRole('heading', { level: 1, name: `Den of ${name}` }).waitFor();
      await field.waitFor({ state: 'detached' });

      field = await openPalette(page);
      await field.fill('no such thing at all');
      await page.getByRole('status').getByText('Nothing was found.').waitFor();
      await field.press('Escape');
      await field.waitFor({ state: 'detached' });

      expect(JSON.parse(String(await page.evaluate(RECENT)))).toEqual({
        user: admin.userId,
        things: [
          { kind: 'room', id: room },
          { kind: 'user', id: found.userId },
        ],
      });
      await page.getByRole('button', { name: `Account of ${admin.userId}` }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await page.evaluate(RECENT)).toBe(null);
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });

    it('offers only what the user may read', async () => {
      const support = await userWithRoles(world, 'support');
      const room = `!${world.freshName('den')}:${world.serverName}`;
      const browserSession = await chromium.browserSession(support);
      const page = await browserSession.open('/');
      await page.getByRole('heading', { level: 1 }).waitFor();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      const field = await openPalette(page);
      const pages = page.getByRole('group', { name: 'Pages' }).getByRole('option');
      expect(await pages.allTextContents()).toEqual(['Overview', 'Users', 'Access']);
      await field.fill(room);
      await page.getByRole('status').getByText('Nothing was found.').waitFor();
      await field.fill(support.userId);
      await page.getByRole('option', { name: 'Open the user' }).waitFor();
      await page.getByRole('status').getByText('One result').waitFor();
      expect(asked.filter((each) => /rooms|reports/.test(each))).toEqual([]);
      browserSession.expectNoProblems();
      await browserSession.context.close();
    });
  });
});
