import type { Actor, World } from '@steward/testing';
import { expect } from 'vitest';
import type { Chromium, Seat } from './chromium.ts';

const SESSION = '/_service/admin/v1/session';

/** A seat whose session began with an access token, which is not proof: orders that need one ask for it. */
export async function unprovedSeat(world: World, chromium: Chromium, user: Actor): Promise<Seat> {
  const seat = await chromium.seat(undefined);
  const answer = await seat.context.request.post(SESSION, {
    headers: { origin: new URL(world.running.url).origin, authorization: `Bearer ${user.token}` },
  });
  expect(answer.status()).toBe(200);
  // The page of a new tab has no storage.
  await seat.context.addInitScript("if (origin !== 'null') localStorage.setItem('steward.signed-in', '')");
  return seat;
}
