import { createServer } from 'node:net';

const HIGHEST_PORT = 65_535;

/**
 * Returns a port and those after it.
 *
 * @param setting what names the first one, for the error
 * @throws Error in one line when they are not all ports
 */
export function consecutivePorts(setting: string, first: number, count: number): readonly number[] {
  const highest = HIGHEST_PORT - count + 1;
  if (!Number.isInteger(first) || first < 1 || first > highest) {
    throw new Error(`${setting} must be a port from 1 to ${highest}: it is the first of ${count}.`);
  }
  return Array.from({ length: count }, (_, n) => first + n);
}

/**
 * Checks that nothing listens on the ports: the processes that are to listen there know them by another setting, which their errors would
 * name.
 *
 * @param setting what names the first one, for the error
 * @throws Error in one line when a port is in use
 */
export async function requireFree(setting: string, ports: readonly number[], host: string): Promise<void> {
  for (const port of ports) {
    const probe = createServer();
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject).listen(port, host, resolve);
    }).catch((error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code})`;
      throw new Error(`${setting}: port ${port} ${why}. Choose another first port.`);
    });
    await new Promise((resolve) => probe.close(resolve));
  }
}
