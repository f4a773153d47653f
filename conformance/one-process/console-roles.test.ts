import { OPERATION_SCOPES } from '@steward/sdk/scopes';
import { path } from '@steward/testing';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { withChromium } from '../console/chromium.ts';
import { createCommunity } from '../console/community.ts';
import { type Stop, walkConsole } from '../console/walk.ts';
import { isDueHere } from '../is-due-here.ts';

/** The walk looks at some fifty pages. */
const TIMEOUT_MS = 600_000;

/** The kinds of pages that a role must be able to reach. */
const REACHED: Readonly<Record<string, readonly string[]>> = {
  auditor: [
    '/',
    '/users',
    '/users/*',
    '/rooms',
    '/rooms/*',
    '/reports',
    '/reports/*',
    '/media',
    '/tasks',
    '/audit',
    '/access',
  ],
  moderator: ['/', '/users', '/users/*', '/rooms', '/rooms/*', '/reports', '/reports/*', '/media', '/tasks'],
  support: ['/', '/users', '/users/*'],
};

/** Whether it is the turn of a role: any page can change what a role may reach. */
const isDueFor = (role: string) => isDueHere(role, ['console/src/api/use-can.ts', 'conformance/console/']);

chapter('The console of a user with a role', (world) => {
  withChromium(world, ['pages'], (chromium) => {
    it.for(Object.keys(REACHED))(
      'asks for nothing that the server refuses, and offers no such order: %s',
      { timeout: TIMEOUT_MS },
      async (role, { skip }) => {
        skip(!isDueFor(role));
        const { report } = await createCommunity(world);
        const user = await world.user(role);
        await world.admin.put(path`/_service/admin/v1/users/${user.userId}/roles`, {
          body: { roles: [role] },
        });
        const { scopes } = (await user.get<{ scopes: string[] }>('/_service/admin/v1/me')).body;
        const browserSession = await chromium.browserSession(user);
        const check = async (page: Page, { address }: Stop) => {
          const refused = (await operationsOf(page)).filter(
            (operation) => !(OPERATION_SCOPES[operation] ?? []).every((scope) => scopes.includes(scope)),
          );
          expect({ address, refused, problems: browserSession.problems }).toEqual({
            address,
            refused: [],
            problems: [],
          });
        };
        const others = scopes.includes('reports:read') ? [`/reports/${report}`] : [];
        const reached = await walkConsole(browserSession, check, others);
        expect(reached.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...(REACHED[role] ?? [])]));
        await browserSession.context.close();
      },
    );
  });
});

/** The operations of the orders that a page offers. */
function operationsOf(page: Page): Promise<string[]> {
  return page
    .locator('[data-operation]')
    .evaluateAll((elements) => elements.map((element) => String(element.getAttribute('data-operation'))));
}
