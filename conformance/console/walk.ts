import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type BrowserSession, CONSOLE } from './chromium.ts';

/** A page of the console that the walk has reached. */
export interface Stop {
  /** Its kind: the path with `*` for each id, and which tab is open. */
  readonly kind: string;
  /** Its path and query. */
  readonly address: string;
}

/**
 * Opens one page of each kind that links and tabs lead to, and visits it when everything is loaded. Returns what it
 * reached.
 *
 * @param others pages that no link leads to on a screen of this size
 */
export async function walkConsole(
  browserSession: BrowserSession,
  visit: (page: Page, stop: Stop) => Promise<void>,
  others: readonly string[] = [],
): Promise<readonly Stop[]> {
  const page = await browserSession.open('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const reached = new Map<string, Stop>();
  const waiting = ['/', ...others];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const kind = kindOf(address);
    if (reached.has(kind)) continue;
    reached.set(kind, { kind, address });
    await openStop(browserSession, page, address);
    await visit(page, { kind, address });
    waiting.push(...(await linksOf(page)), ...(await tabsOf(browserSession, page)));
  }
  return [...reached.values()];
}

/** Opens a page, and waits until it is loaded and shows its content. */
export async function openStop(browserSession: BrowserSession, page: Page, address: string): Promise<void> {
  // As links do: without loading the application again.
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`${CONSOLE}${address}`)})`);
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
  const { pathname } = new URL(address, 'http://localhost');
  const shown = () => page.locator('main').getAttribute('data-shown');
  await expect.poll(async () => decodeURIComponent(String(await shown()))).toBe(decodeURIComponent(pathname));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(browserSession, page);
  // A page that has failed has nothing that would be wrong with it.
  expect({ address, alerts: await page.getByRole('alert').allTextContents() }).toEqual({
    address,
    alerts: [],
  });
}

async function settled(browserSession: BrowserSession, page: Page): Promise<void> {
  await expect.poll(browserSession.inFlight).toEqual([]);
  await expect.poll(() => page.locator('[role=status][aria-label=Loading]').count()).toBe(0);
}

function kindOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  const [first = '', ...rest] = pathname.split('/').slice(1);
  const fixed = rest.map((part) => (/^[a-z-]+$/.test(part) ? part : '*'));
  const tab = searchParams.get('tab');
  return `/${[first, ...fixed].join('/')}${tab === null ? '' : `?tab=${tab}`}`;
}

function linksOf(page: Page): Promise<string[]> {
  return page
    .locator(`main a[href^="${CONSOLE}/"], nav a[href^="${CONSOLE}"]`)
    .evaluateAll(
      (links, base) => links.map((link) => String(link.getAttribute('href')).slice(base.length) || '/'),
      CONSOLE,
    );
}

/** The addresses of the tabs of a page, each of which is opened. */
async function tabsOf(browserSession: BrowserSession, page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await settled(browserSession, page);
    const { pathname, search } = new URL(page.url());
    found.push(`${pathname.slice(CONSOLE.length)}${search}`);
  }
  return found;
}
