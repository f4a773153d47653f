import { expect, it } from 'vitest';
import { plainAddress } from './plain-address.ts';

it.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::FFFF:c633:6407', '198.51.100.7'],
  ['0:0:0:0:0:ffff:198.51.100.7', '198.51.100.7'],
  ['2001:DB8:0:0::0007', '2001:db8::7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::1', '::1'],
  ['198.51.100.07', undefined],
  ['198.51.100', undefined],
  ['198.51.100.7:80', undefined],
  ['[::1]', undefined],
  ['', undefined],
])('writes %j as %j', (text, address) => {
  expect(plainAddress(text)).toBe(address);
});
