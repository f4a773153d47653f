import { expect, it } from 'vitest';
import { containsAddress, readRanges } from './address-ranges.ts';

it.each([
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '::ffff:192.0.2.7', true],
  ['192.0.2.7', '::ffff:c000:207', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['192.0.2.7', '::192.0.2.7', false],
  ['192.0.2.0/24', '192.0.2.255', true],
  ['192.0.2.9/24', '::ffff:192.0.2.1', true],
  ['192.0.2.0/24', '192.0.3.0', false],
  ['0.0.0.0/0', '203.0.113.1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['::ffff:192.0.2.0/120', '192.0.2.200', true],
  ['::ffff:192.0.2.0/120', '192.0.3.200', false],
  ['2001:DB8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:db8::1', '2001:db8::1%eth0', true],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['2001:db8::/0', '', false],
  ['0.0.0.0/0', 'unknown', false],
])('%s and the address %j', (range, address, expected) => {
  expect(containsAddress(readRanges([range]), address)).toBe(expected);
});

it('keeps each entry once, and refuses more than 50', () => {
  expect(readRanges(['10.0.0.1', '::1', '10.0.0.1'])).toEqual(['10.0.0.1', '::1']);
  const many = Array.from({ length: 51 }, (_, i) => `10.0.0.${i}`);
  expect(readRanges(many.slice(1))).toHaveLength(50);
  expect(() => readRanges(many)).toThrow('at most 50');
});

it.each([
  '',
  '10.0.0.0/33',
  '::1/129',
  '10.0.0',
  '010.0.0.1',
  'fe80::1%eth0',
  '10.0.0.1/',
  '1.2.3.4/8x',
  'loopback',
])('refuses %j', (entry) => {
  expect(() => readRanges([entry])).toThrow('CIDR');
});
