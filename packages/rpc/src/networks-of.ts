import { networkOf } from './network-of.ts';

/** The suffix of the /64 network of an IPv6 address, as `networkOf` writes it. */
const NARROW = '::/64';

/** The networks of an address as keys of limits, the narrowest first: see `networkOf`; of IPv6 the /56 and the /48 as well. */
export function networksOf(address: string): readonly string[] {
  const network = address.endsWith(NARROW) ? address : networkOf(address);
  if (!network.endsWith(NARROW)) return [network];
  const groups = network.slice(0, -NARROW.length).split(':');
  const site = groups.slice(0, 3).join(':');
  const part = (groups[3] ?? '0').padStart(4, '0').slice(0, 2);
  return [network, `${site}:${part}00::/56`, `${site}::/48`];
}
