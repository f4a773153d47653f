import { expect, it } from 'vitest';
import { randomCapitals, randomId, systemRandom } from './mod.ts';

it('never returns the same bytes twice', () => {
  const seen = new Set<string>();
  const sizes = [16, 32, 7, 4096, 5000];
  for (let n = 0; n < 5_000; n++)
    seen.add(systemRandom.bytes(sizes[n % sizes.length] as number).toString('hex'));
  expect(seen.size).toBe(5_000);
});

it('returns the requested number of bytes, which the caller may change', () => {
  const first = systemRandom.bytes(24);
  const copy = Buffer.from(first);
  systemRandom.bytes(24).fill(0);
  expect(first).toHaveLength(24);
  expect(first).toEqual(copy);
});

it('creates ids of their documented forms', () => {
  expect(randomCapitals(systemRandom, 10)).toMatch(/^[A-Z]{10}$/);
  expect(randomId(systemRandom)).toMatch(/^[A-Za-z0-9_-]{22}$/);
  // A command would take an id with a leading dash for an option.
  expect(randomId({ ...systemRandom, bytes: (size) => Buffer.alloc(size, 0xfb) })).toBe(
    'A_v7-_v7-_v7-_v7-_v7-w',
  );
});
