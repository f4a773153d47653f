import type { Actor, World } from '@steward/testing';
import { expect } from 'vitest';
import type { BrowserSession, Chromium } from './chromium.ts';

const SESSION = '/_service/admin/v1/session';

/** A browser session that began with an access token, which is not proof: orders that need one ask for it. */
export async function unprovedSession(
  world: World,
  chromium: Chromium,
  user: Actor,
): Promise<BrowserSession> {
  const browserSession = await chromium.browserSession(undefined);
  const answer = await browserSession.context.request.post(SESSION, {
    headers: { origin: new URL(world.running.url).origin, authorization: `Bearer ${user.token}` },
  });
  expect(answer.status()).toBe(200);
  // The page of a new tab has no storage.
  await browserSession.context.addInitScript(
    "if (origin !== 'null') localStorage.setItem('steward.signed-in', '')",
  );
  return browserSession;
}
