import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { Failure } from './failure.ts';
import { isPermitted } from './is-permitted.ts';

/** All addresses of a host name. Rejects if there is none, or if the name servers do not answer. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** The answers of name servers that there is no address. */
const NO_ADDRESS: readonly unknown[] = ['ENOTFOUND', 'ENODATA'];

/**
 * The addresses to connect to, all of which may be reached. A host with a further address that may not is refused as a whole,
 * because it would be reached sometimes.
 *
 * @param host a name, or an address, as {@link hostOf} returns it
 * @throws Failure with the reason `dns` or `refused_address`; the reason of `signal` when that ends it
 */
export async function findAddresses(
  host: string,
  rules: AddressRules,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const trusted = rules.hosts.has(host);
  const addresses = await untilAborted(trusted ? lookUp(host) : resolve(host, signal), signal);
  if (addresses.length === 0) throw new Failure('dns', 'The host has no address');
  if (!trusted && !addresses.every((address) => isPermitted(address, rules)))
    throw new Failure('refused_address', 'The host has an address that is not on the Internet');
  return addresses;
}

/** As other programs of the machine do, with its hosts file and search domains. */
async function lookUp(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const { code } = error as NodeJS.ErrnoException;
    const noAddress = NO_ADDRESS.includes(code);
    throw new Failure('dns', noAddress ? 'The host has no address' : 'The name servers do not answer');
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
