import { OPERATION_SCOPES } from '@steward/sdk/scopes';
import { path } from '@steward/testing';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';
import { createCommunity } from '../console/community.ts';

const BASE = '/_service/console';

/** The pages that a role must be able to reach, with `*` for an id. */
const REACHED: Readonly<Record<string, readonly string[]>> = {
  auditor: [
    '/',
    '/users',
    '/users/*',
    '/rooms',
    '/rooms/*',
    '/reports',
    '/media',
    '/tasks',
    '/audit',
    '/access',
  ],
  moderator: ['/', '/users', '/users/*', '/rooms', '/rooms/*', '/reports', '/media', '/tasks'],
  support: ['/', '/users', '/users/*'],
};

chapter('The console of a user with a role', (world) => {
  withChromium(world, (chromium) => {
    it.each(Object.keys(REACHED))(
      'asks for nothing that the server refuses, and offers no such order: %s',
      async (role) => {
        await createCommunity(world);
        const user = await world.user(role);
        await world.admin.put(path`/_service/admin/v1/users/${user.userId}/roles`, {
          body: { roles: [role] },
        });
        const { scopes } = (await user.get<{ scopes: string[] }>('/_service/admin/v1/me')).body;
        const seat = await chromium.seat(user);
        const page = await seat.open('/');
        const reached = new Set<string>();
        const waiting = ['/'];
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          if (reached.has(patternOf(next))) continue;
          reached.add(patternOf(next));
          await page.goto(`${BASE}${next}`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await expect.poll(seat.inFlight).toEqual([]);
          const refused = (await operationsOf(page)).filter(
            (operation) => !(OPERATION_SCOPES[operation] ?? []).every((scope) => scopes.includes(scope)),
          );
          expect({ page: next, refused, problems: seat.problems }).toEqual({
            page: next,
            refused: [],
            problems: [],
          });
          waiting.push(...(await linksOf(page)), ...(await tabsOf(page, seat.inFlight)));
        }
        expect([...reached]).toEqual(expect.arrayContaining([...(REACHED[role] ?? [])]));
        await seat.context.close();
      },
    );
  });
});

/** The kind of a page: its path with `*` for each id, and which tab is open. */
function patternOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  const [first = '', ...rest] = pathname.split('/').slice(1);
  const fixed = rest.map((part) => (/^[a-z-]+$/.test(part) ? part : '*'));
  const tab = searchParams.get('tab');
  return `/${[first, ...fixed].join('/')}${tab === null ? '' : `?tab=${tab}`}`;
}

/** The operations of the orders that a page offers. */
function operationsOf(page: Page): Promise<string[]> {
  return page
    .locator('[data-operation]')
    .evaluateAll((elements) => elements.map((element) => String(element.getAttribute('data-operation'))));
}

function linksOf(page: Page): Promise<string[]> {
  return page
    .locator(`a[href^="${BASE}/"], a[href="${BASE}"]`)
    .evaluateAll(
      (links, base) => links.map((link) => String(link.getAttribute('href')).slice(base.length)),
      BASE,
    );
}

/** The addresses of the tabs of a page, each of which is opened. */
async function tabsOf(page: Page, inFlight: () => readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await expect.poll(inFlight).toEqual([]);
    const { pathname, search } = new URL(page.url());
    found.push(`${pathname.slice(BASE.length)}${search}`);
  }
  return found;
}
