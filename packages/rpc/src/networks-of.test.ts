import { expect, it } from 'vitest';
import { networksOf } from './networks-of.ts';

it.each([
  ['192.0.2.1', ['192.0.2.1']],
  ['', ['']],
  ['2001:db8:1:abcd::1', ['2001:db8:1:abcd::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48']],
  ['2001:db8:1:2::/64', ['2001:db8:1:2::/64', '2001:db8:1:0000::/56', '2001:db8:1::/48']],
])('%s', (address, networks) => {
  expect(networksOf(address)).toEqual(networks);
});
