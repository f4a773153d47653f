import { once } from 'node:events';
import { createServer } from 'node:net';
import { systemRandom } from '@steward/kernel';

/** Below the ephemeral ports of all systems, so that a free port stays free until a process uses it. */
const LOWEST = 20_000;
/** How many ports one process assigns. */
const RANGE = 500;
/** The number of ranges, so that concurrent processes assign different ports. */
const RANGES = 24;

const lowest = LOWEST + RANGE * (process.pid % RANGES);
let last = systemRandom.below(RANGE);

/**
 * Returns different ports of this machine on which no program listens now. It assigns them in ascending order, so that
 * a port is reassigned as late as possible: its owner may not listen yet, or may be restarting.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found: number[] = [];
  while (found.length < count) {
    last = (last + 1) % RANGE;
    if (await isFree(lowest + last)) found.push(lowest + last);
  }
  return found;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
