import { systemRandom } from '@steward/kernel';
import { type Channel, createChannel, traceChannel } from '@steward/rpc';
import { internalCredential } from './credential.ts';
import type { ProcessContext } from './run-process.ts';

/** A service that others call. */
export type Peer = 'user' | 'room' | 'media' | 'moderation';

/**
 * Opens a channel from a process to a service. The service need not run yet: the channel connects at its first
 * call. With `tracing`, its calls are recorded.
 *
 * @throws Error when the settings do not name the URLs of the service
 */
export function openPeer(
  { config, tls, tracing }: Pick<ProcessContext, 'config' | 'tls' | 'tracing'>,
  asker: string,
  peer: Peer,
): Channel {
  const urls = config.services[`${peer}_urls`];
  if (urls.length === 0) {
    const setting = `STEWARD_${peer.toUpperCase()}_URLS`;
    throw new Error(`The ${asker} needs to know the ${peer} service: set ${setting}.`);
  }
  const credential = internalCredential(config);
  const channel = createChannel({ urls, credential, tls, random: systemRandom });
  return tracing ? traceChannel(channel, tracing) : channel;
}
