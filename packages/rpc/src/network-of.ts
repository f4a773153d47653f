import { isIPv6 } from 'node:net';

/** How many of the eight groups of an IPv6 address name the network. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * Whose an address is, for limits: an IPv4 address stands for itself, an IPv6 address for its network of
 * 64 bits, all of whose addresses are at the hands of whoever has one. What is no address stands for itself.
 */
export function networkOf(address: string): string {
  // An IPv4 address inside an IPv6 one is written with dots.
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  const omitted = Array<string>(GROUPS - first.length - last.length).fill('0');
  const groups = [...first, ...omitted, ...last].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

function groupsOf(part: string): readonly string[] {
  return part === '' ? [] : part.split(':');
}
