import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';
import { createCommunity } from '../console/community.ts';
import { runAxe } from '../console/run-axe.ts';
import { openStop, type Stop, walkConsole } from '../console/walk.ts';
import { isDueHere } from '../is-due-here.ts';

/** Where screenshots of all pages are kept, if that is wanted. */
const SCREENSHOTS = process.env.STEWARD_SCREENSHOTS;
const LARGE_PX = 1280;
const SMALL_PX = 390;
/** The colours of a page do not depend on its size. */
const SCHEMES = { [LARGE_PX]: ['light', 'dark'], [SMALL_PX]: ['light'] } as const;
/** No page scrolls sideways on a screen as narrow as this. */
const SMALLEST_PX = 320;
const HEIGHT_PX = 900;
/** The walk looks at some fifty pages in two sizes, in two colour schemes if they are large. */
const TIMEOUT_MS = 600_000;

chapter('The pages of the console', (world) => {
  withChromium(world, ['pages'], (chromium) => {
    it(
      'have no violation that axe finds, in both colour schemes on large screens, and on small ones',
      async () => {
        const { user, room, report, media, task } = await createCommunity(world);
        const found: unknown[] = [];
        const check = async (page: Page, { kind }: Stop, width: keyof typeof SCHEMES) => {
          if (!isPageDue(kind)) return;
          for (const text of await textsOffCentre(page)) found.push({ where: `${kind}, ${width} px`, text });
          for (const scheme of SCHEMES[width]) {
            for (const { id, nodes } of await runAxe(page, scheme)) {
              const where = `${kind}, ${scheme}, ${width} px`;
              found.push({
                where,
                id,
                nodes: nodes.map(({ target, failureSummary }) => [target, failureSummary]),
              });
            }
            if (SCREENSHOTS === undefined) continue;
            mkdirSync(SCREENSHOTS, { recursive: true });
            const place = kind === '/' ? 'overview' : kind.slice(1).replace(/\W+/g, '-');
            const name = `${place}-${scheme}-${width}.png`;
            await page.screenshot({ path: join(SCREENSHOTS, name) });
          }
        };
        const large = await chromium.browserSession(world.admin, { width: LARGE_PX, height: HEIGHT_PX });
        const stops = await walkConsole(large, (page, stop) => check(page, stop, LARGE_PX), [
          `/reports/${report}`,
        ]);
        const kinds = stops.map(({ kind }) => kind);
        for (const each of [
          '/users',
          '/users/*',
          '/rooms',
          '/rooms/*',
          '/reports',
          '/reports/*',
          '/media',
          '/tasks/*',
          '/audit',
          '/access',
        ])
          expect(kinds).toContain(each);
        // In German, whose words are longer.
        const small = await chromium.browserSession(world.admin, {
          width: SMALL_PX,
          height: HEIGHT_PX,
          locale: 'de-DE',
        });
        const page = await small.open('/');
        await page.getByRole('heading', { level: 1 }).waitFor();
        const ids = [
          `/users/${encodeURIComponent(user.userId)}`,
          `/rooms/${encodeURIComponent(room)}`,
          `/reports/${report}`,
          `/media/${world.serverName}/${media}`,
          `/tasks/${task}`,
        ].map((address) => ({ kind: `small ${address.split('/')[1]}`, address }));
        for (const stop of [...stops, ...ids]) {
          if (!isPageDue(stop.kind)) continue;
          await openStop(small, page, stop.address);
          await check(page, stop, SMALL_PX);
          for (const width of [SMALLEST_PX, SMALL_PX]) {
            await page.setViewportSize({ width, height: HEIGHT_PX });
            const needed = await page.evaluate('document.documentElement.scrollWidth');
            if (needed !== width) found.push({ where: `${stop.kind}, ${width} px`, needed });
          }
        }
        large.expectNoProblems();
        small.expectNoProblems();
        await large.context.close();
        await small.context.close();
        expect(found).toEqual([]);
      },
      TIMEOUT_MS,
    );
  });
});

/** Whether it is the turn of a kind of pages, or they have changed. */
function isPageDue(kind: string): boolean {
  const [, folder = ''] = kind.split(/[/? ]/);
  const pages = folder === '' ? 'overview' : folder;
  return isDueHere(kind, ['console/src/app/', 'console/src/ui/', `console/src/pages/${pages}/`]);
}

/** The texts that are not in the vertical middle of their button. */
function textsOffCentre(page: Page): Promise<readonly string[]> {
  return page.evaluate(`
    const middle = (element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return (top + bottom) / 2;
    };
    [...document.querySelectorAll('.mantine-Button-root')].flatMap((button) => {
      const label = button.querySelector('.mantine-Button-label');
      return label && Math.abs(middle(button) - middle(label)) > 1 ? [label.textContent] : [];
    });
  `);
}
