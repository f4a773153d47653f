import { expect, it } from 'vitest';
import { gramsOf } from './grams.ts';

it('takes runs of three code points, each once', () => {
  expect(gramsOf('abcabc')).toEqual(['abc', 'bca', 'cab']);
  expect(gramsOf('a💥b本')).toEqual(['a💥b', '💥b本']);
});

it('takes none from a text that is too short', () => {
  expect(gramsOf('')).toEqual([]);
  expect(gramsOf('💥💥')).toEqual([]);
});
