import { Resolver } from 'node:dns/promises';

/** A lost question or answer is repeated before the time for the request ends. */
const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * All IPv4 and IPv6 addresses that the name servers of the machine have for a host name; not what its hosts file has. It uses no
 * thread of Node's pool, so that name servers of others that do not answer delay nothing else.
 *
 * @throws the error of node:dns if there is none, with its code
 */
export async function resolveHost(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    // Addresses of one kind are enough when the name servers fail for the other kind.
    const failed = results.find((result) => result.status === 'rejected');
    if (addresses.length === 0 && failed !== undefined) throw failed.reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
