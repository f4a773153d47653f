import { expect, it } from 'vitest';
import { compareCodePoints } from './compare.ts';

/** In order. One character above the basic plane has UTF-16 units below those of its predecessor. */
const ORDERED = [
  '',
  '\0',
  'a',
  'a\0',
  'ab',
  'b',
  'ä',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
];

it('orders by code point', () => {
  const sorted = ORDERED.flatMap((a) => ORDERED.map((b) => `${a}${b}`)).sort(compareCodePoints);
  const asBytes = sorted.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(sorted).toEqual(asBytes);
  expect(ORDERED.toReversed().sort(compareCodePoints)).toEqual(ORDERED);
});
