import type { Config } from '@steward/config';
import { type Channel, createChannel } from '@steward/rpc';
import { internalCredential } from './credential.ts';

/** A service that others ask. */
export type Peer = 'user' | 'room' | 'media' | 'moderation';

/**
 * Opens the way from a process to a service, which need not be there yet: it is reached when it is asked.
 *
 * @throws Error when the settings do not say where the service is
 */
export function openPeer(config: Config, asker: string, peer: Peer): Channel {
  const urls = config.services[`${peer}_urls`];
  if (urls.length === 0) {
    const setting = `STEWARD_${peer.toUpperCase()}_URLS`;
    throw new Error(`The ${asker} needs to know the ${peer} service: set ${setting}.`);
  }
  return createChannel({ urls, credential: internalCredential(config) });
}
