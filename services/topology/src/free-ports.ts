import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Random, systemRandom } from '@steward/kernel';

/** Ports that no system gives to whoever asks for any, so that those found free stay free until they are used. */
const LOWEST = 20_000;
const HIGHEST = 31_999;

/** Ports of this machine on which nobody listens at present, all different. */
export async function freePorts(count: number, random: Random = systemRandom): Promise<readonly number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = LOWEST + random.below(HIGHEST - LOWEST + 1);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
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
