import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const candidates = ['name', 'host', 'port', 'public_baseurl'];

it.each([
  ['prot', 'port'],
  ['nam', 'name'],
  ['NAME', 'name'],
  ['public_base_url', 'public_baseurl'],
])('takes %s for %s', (word, meant) => {
  expect(nearest(word, candidates)).toBe(meant);
});

it.each(['', 'x', 'trusted', 'base'])('makes nothing of "%s"', (word) => {
  expect(nearest(word, candidates)).toBeUndefined();
});
