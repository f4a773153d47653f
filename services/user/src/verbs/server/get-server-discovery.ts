import type { Deps } from '../../core/deps.ts';
import { publicBaseUrl } from './public-base-url.ts';

/** The port of a URL that names none. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/** Returns the host and port at which existing tools reach the server (existing-tools.md). */
export function getServerDiscovery({ settings }: Deps) {
  const { hostname, port, protocol } = new URL(publicBaseUrl(settings));
  return { server: `${hostname}:${port || DEFAULT_PORTS[protocol]}` };
}
