import { isIPv6 } from 'node:net';

/** How many of the eight groups of an IPv6 address identify the network. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * The key of an address for limits: an IPv4 address is its own key, an IPv6 address has its /64 network, because
 * a client usually controls a whole one. Any other text is its own key.
 */
export function networkOf(address: string): string {
  // An IPv4-mapped IPv6 address is written with dots.
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
