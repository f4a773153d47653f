import type { Deps } from '../../core/deps.ts';
import { publicBaseUrl } from './public-base-url.ts';

/** Returns the URL at which clients reach the server (client-plane.md 7.1). */
export function getClientDiscovery({ settings }: Deps) {
  return { homeserver: { baseUrl: publicBaseUrl(settings) } };
}
