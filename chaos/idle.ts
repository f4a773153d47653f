import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from './site.ts';

const POLL_MS = 250;

/** Waits until a server has no work left; returns the remaining work when that takes too long. */
export async function untilIdle(site: Site, limitMs: number): Promise<readonly string[]> {
  const givenUpAt = performance.now() + limitMs;
  for (;;) {
    const left = await findWork(site);
    if (left.length === 0 || performance.now() > givenUpAt) return left;
    await sleep(POLL_MS);
  }
}

/** Pending effects, tasks, undelivered facts and dead letters; reads the store twice, because facts come from effects. */
async function findWork(site: Site): Promise<readonly string[]> {
  const left = [...(await findPending(site)), ...(await site.undelivered())];
  return left.length > 0 ? left : findPending(site);
}

async function findPending(site: Site): Promise<readonly string[]> {
  const left: string[] = [];
  for await (const { collection, document } of site.documents()) {
    const { _id: id, pending, state } = document;
    if (Array.isArray(pending) && pending.length > 0)
      left.push(`${collection} ${id} has the pending effects ${JSON.stringify(pending)}`);
    if (collection.endsWith('.outbox')) left.push(`${collection} ${id} waits to be published`);
    if (collection === 'bus.dead_letters') left.push(`${collection} ${id} is a dead letter`);
    if (collection.endsWith('.tasks') && (state === 'scheduled' || state === 'active')) {
      left.push(`${collection} ${id}, ${document.kind}, is ${state}`);
    }
  }
  return left;
}
