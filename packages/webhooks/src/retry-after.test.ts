import { expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const NOW = Date.parse('Mon, 23 Nov 2026 10:00:00 GMT');

it.each([
  ['120', 120_000],
  ['0', 0],
  ['Mon, 23 Nov 2026 10:02:00 GMT', 120_000],
  ['Mon, 23 Nov 2026 09:00:00 GMT', 0],
])('reads %s', (header, ms) => {
  expect(parseRetryAfter(header, NOW)).toBe(ms);
});

it.each([undefined, '', '-1', '1.5', '1e3', '9'.repeat(400), 'soon', '2026-11-23', 'never GMT'])(
  'ignores %s',
  (header) => {
    expect(parseRetryAfter(header, NOW)).toBeUndefined();
  },
);
