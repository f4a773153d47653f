import { expect, it } from 'vitest';
import { networkOf } from './network-of.ts';

it.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '::ffff:198.51.100.7'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:DB8:0:0001::9', '2001:db8:0:1::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
  ['a::b::c', 'a::b::c'],
])('%j is of %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
