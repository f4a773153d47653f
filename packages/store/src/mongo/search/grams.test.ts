import { expect, it } from 'vitest';
import { gramsOf } from './grams.ts';

it('returns runs of three code points, each once', () => {
  expect(gramsOf('abcabc')).toEqual(['abc', 'bca', 'cab']);
  expect(gramsOf('a💥b本')).toEqual(['a💥b', '💥b本']);
});

it('returns none for a text that is too short', () => {
  expect(gramsOf('')).toEqual([]);
  expect(gramsOf('💥💥')).toEqual([]);
});
