import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const candidates = ['name', 'host', 'port', 'public_baseurl'];

it.each([
  ['prot', 'port'],
  ['nam', 'name'],
  ['NAME', 'name'],
  ['public_base_url', 'public_baseurl'],
])('finds the misspelt %s to mean %s', (word, meant) => {
  expect(nearest(word, candidates)).toBe(meant);
});

it.each(['', 'x', 'trusted', 'base'])('finds no candidate for "%s"', (word) => {
  expect(nearest(word, candidates)).toBeUndefined();
});
