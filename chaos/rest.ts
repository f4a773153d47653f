import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from './site.ts';

const POLL_MS = 250;

/** Waits until a server has nothing left to do; returns what it still has to do when that takes too long. */
export async function untilAtRest(site: Site, limitMs: number): Promise<readonly string[]> {
  const givenUpAt = performance.now() + limitMs;
  for (;;) {
    const left = await leftToDo(site);
    if (left.length === 0 || performance.now() > givenUpAt) return left;
    await sleep(POLL_MS);
  }
}

/** What a server owes itself, tells others, or has given up; twice in a row, because one becomes the other. */
async function leftToDo(site: Site): Promise<readonly string[]> {
  const left = [...(await owed(site)), ...(await site.undelivered())];
  return left.length > 0 ? left : owed(site);
}

async function owed(site: Site): Promise<readonly string[]> {
  const left: string[] = [];
  for await (const { collection, document } of site.documents()) {
    const { _id: id, pending, state } = document;
    if (Array.isArray(pending) && pending.length > 0)
      left.push(`${collection} ${id} owes ${JSON.stringify(pending)}`);
    if (collection.endsWith('.outbox')) left.push(`${collection} ${id} waits to be told`);
    if (collection === 'bus.dead_letters') left.push(`${collection} ${id} was given up`);
    if (collection.endsWith('.tasks') && (state === 'scheduled' || state === 'active')) {
      left.push(`${collection} ${id}, ${document.kind}, is ${state}`);
    }
  }
  return left;
}
