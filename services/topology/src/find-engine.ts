import { connect } from 'node:net';

/** How long an engine on this machine may take to accept a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 500;

/** Whether something listens on a port of this machine. */
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
 * The URL of an engine: the first that is stated, else that of the usual port if something listens there.
 *
 * @throws Error in one line when there is none
 */
export async function findEngine(
  stated: readonly (string | undefined)[],
  usual: { readonly port: number; readonly url: string; readonly setting: string },
): Promise<string> {
  const url = stated.find((candidate) => candidate !== undefined && candidate !== '');
  if (url !== undefined) return url;
  if (await listens(usual.port)) return usual.url;
  throw new Error(`Nothing listens at ${usual.url}. Start the engine there, or set ${usual.setting}.`);
}
