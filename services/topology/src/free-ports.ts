import { once } from 'node:events';
import { createServer } from 'node:net';
import { systemRandom } from '@steward/kernel';

/** Ports that no system gives to whoever asks for any, so that those found free stay free until they are used. */
const LOWEST = 20_000;
/** How many of them a process gives away. */
const RANGE = 500;
/** Into how many ranges they are divided, so that processes which look for some at the same time find others. */
const RANGES = 24;

const lowest = LOWEST + RANGE * (process.pid % RANGES);
let last = systemRandom.below(RANGE);

/**
 * Ports of this machine on which nobody listens at present, all different. One after the other, so that it takes
 * long until a port is given away again: whoever has it may be about to use it, or be starting again.
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
