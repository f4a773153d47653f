import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { path } from '@steward/testing';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Where screenshots of all pages are kept, if that is wanted. */
const SCREENSHOTS = process.env.STEWARD_SCREENSHOTS;
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 390] as const;
const HEIGHT = 900;

/** A page, and what it shows when it has loaded. */
interface Stop {
  readonly name: string;
  readonly path: string;
  readonly content: (page: Page) => Promise<unknown>;
}

chapter('The pages of the console', (world) => {
  withChromium(world, (chromium) => {
    it('have no violation that axe finds, in both colour schemes, on large and on small screens', async () => {
      const user = await world.user('walker', { admin: true });
      const stops = await prepare(user.userId);
      const found: unknown[] = [];
      for (const width of WIDTHS) {
        const seat = await chromium.seat(user, { width, height: HEIGHT });
        const page = await seat.open('/');
        await page.evaluate(AXE);
        for (const stop of stops) {
          await page.goto(`/_service/console${stop.path}`);
          await stop.content(page);
          await page.evaluate(AXE);
          for (const scheme of SCHEMES) {
            await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
            await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
            // Colours may change in the course of an animation.
            await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
            const results = (await page.evaluate('axe.run()')) as AxeResults;
            for (const { id, nodes } of results.violations) {
              const where = `${stop.name}, ${scheme}, ${width} px`;
              found.push({
                where,
                id,
                nodes: nodes.map(({ target, failureSummary }) => [target, failureSummary]),
              });
            }
            if (SCREENSHOTS !== undefined) {
              mkdirSync(SCREENSHOTS, { recursive: true });
              await page.screenshot({ path: join(SCREENSHOTS, `${stop.name}-${scheme}-${width}.png`) });
            }
          }
        }
        seat.expectNoProblems();
        await seat.context.close();
      }
      expect(found).toEqual([]);
    });
  });

  /** Gives every page something to show. */
  async function prepare(admin: string): Promise<readonly Stop[]> {
    const heading = (name: string | RegExp) => (page: Page) =>
      page.getByRole('heading', { level: 1, name }).waitFor();
    await world.seed?.task({
      id: 'walked-task',
      kind: 'room.delete',
      target: `!walked:${world.serverName}`,
      requestedBy: admin,
    });
    await world.admin.get(path`/_service/admin/v2/users/${admin}`);
    return [
      {
        name: 'overview',
        path: '/',
        content: async (page) => {
          await page.getByText('All is well').waitFor();
          await page.getByRole('img', { name: /^Messages/ }).waitFor();
        },
      },
      {
        name: 'tasks',
        path: '/tasks',
        content: (page) => page.getByRole('link', { name: 'room.delete' }).first().waitFor(),
      },
      { name: 'dead-letters', path: '/tasks?tab=dead-letters', content: heading('Tasks') },
      {
        name: 'task',
        path: '/tasks/walked-task',
        content: (page) => page.getByText('walked-task').waitFor(),
      },
      { name: 'not-found', path: '/nowhere', content: heading('There is no such page.') },
    ];
  }
});
