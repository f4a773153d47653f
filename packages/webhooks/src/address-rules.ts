import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which addresses inside may be reached nevertheless. Made by {@link parseAddressRules}. */
export interface AddressRules {
  /** Addresses as ranges: the first address and the bits of the prefix. */
  readonly ranges: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];
  /** Host names as URLs have them, without a final dot. All their addresses may be reached. */
  readonly hosts: ReadonlySet<string>;
}

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };
const RANGE = /^(?<address>[^/]+)(?:\/(?<prefix>[0-9]{1,3}))?$/;
const HOST_NAME = /^[a-z0-9_.-]+$/;

/**
 * The rules with a list of permitted IP addresses, ranges in CIDR notation, and host names in lower case.
 *
 * @throws TypeError which names the entry that is none of these
 */
export function parseAddressRules(allow: readonly string[]): AddressRules {
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  const hosts = new Set<string>();
  for (const entry of allow) {
    const { address = '', prefix } = RANGE.exec(entry)?.groups ?? {};
    const maxBits = BITS[isIP(address)] ?? -1;
    const bits = Number(prefix ?? maxBits);
    if (maxBits > 0 && bits <= maxBits) ranges.push([ipaddr.parse(address), bits]);
    else if (HOST_NAME.test(entry)) hosts.add(entry);
    else throw new TypeError(`${entry} is not an IP address, a range or a host name in lower case`);
  }
  return { ranges, hosts };
}
