import { connect } from 'node:net';

/** How long an engine on this machine may take to accept a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 500;

/** Whether a program listens on a port of this machine. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: CONNECT_TIMEOUT_MS });
    const answer = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}

/**
 * Returns the URL of an engine: the first configured one, or else the default one if a program listens on its port.
 *
 * @throws Error in one line when there is none
 */
export async function findEngine(
  configured: readonly (string | undefined)[],
  fallback: { readonly port: number; readonly url: string; readonly setting: string },
): Promise<string> {
  const url = configured.find((candidate) => candidate !== undefined && candidate !== '');
  if (url !== undefined) return url;
  if (await listens(fallback.port)) return fallback.url;
  throw new Error(`Nothing listens at ${fallback.url}. Start the engine there, or set ${fallback.setting}.`);
}
