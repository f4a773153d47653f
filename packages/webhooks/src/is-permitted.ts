import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AddressRules } from './address-rules.ts';

/** The addresses of IPv6 that the registries assign to hosts of the Internet. All others are special. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Ranges of IPv6 whose addresses contain one of IPv4, and the byte at which it begins. */
const EMBEDDING = [
  // Compatible and mapped addresses, and the two prefixes of translators
  { range: ipaddr.IPv6.parseCIDR('::/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), at: 12 },
  // 6to4
  { range: ipaddr.IPv6.parseCIDR('2002::/16'), at: 2 },
];

const IPV4_BYTES = 4;

/**
 * Whether an address may be reached: it is one of the Internet, or the rules permit it. A range of IPv6 that the rules permit and
 * whose addresses contain one of IPv4 does not make that one reachable.
 *
 * @param address an IPv4 or IPv6 address, without brackets; any other text may not be reached
 */
export function isPermitted(address: string, rules: AddressRules): boolean {
  if (isIP(address) === 0) return false;
  return permits(ipaddr.parse(address), rules);
}

function permits(address: ipaddr.IPv4 | ipaddr.IPv6, rules: AddressRules): boolean {
  if (isOutside(address)) return true;
  const allowed = rules.ranges.some(([first, bits]) => contains([first, bits], address));
  const embedded = embeddedIn(address);
  return allowed && (embedded === undefined || permits(embedded, rules));
}

function isOutside(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || contains(GLOBAL_UNICAST, address);
}

function embeddedIn(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const found = EMBEDDING.find(({ range }) => contains(range, address));
  if (found === undefined || isLoopback(address)) return undefined;
  return ipaddr.fromByteArray(address.toByteArray().slice(found.at, found.at + IPV4_BYTES));
}

/** `::1` is within the range of compatible addresses, and contains none. */
function isLoopback(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === 'loopback';
}

function contains(
  [first, bits]: readonly [ipaddr.IPv4 | ipaddr.IPv6, number],
  address: ipaddr.IPv4 | ipaddr.IPv6,
): boolean {
  return first.kind() === address.kind() && address.match(first, bits);
}
