import { expect, it } from 'vitest';
import { wordsOf } from './directory-words.ts';

it.each([
  ['', []],
  [' \t\n', []],
  ['Alice', ['alice']],
  ['alice.b-c_d=e/f+g', ['alice', 'b', 'c', 'd', 'e', 'f', 'g']],
  ["Anna O'Brien (work)", ['anna', 'o', 'brien', 'work']],
  ['bob Bob BOB', ['bob']],
  ['Ａｌｉｃｅ', ['alice']],
  ['e\u0301 é', ['é']],
  ['😀 山田', ['😀', '山田']],
  ['a\u0000b\u200Bc', ['a', 'b', 'c']],
  ['\uD800', []],
])('%j has the words %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

it('ignores the rest of an overlong word or text', () => {
  expect(wordsOf('😀'.repeat(100))).toEqual(['😀'.repeat(64)]);
  expect(wordsOf('a '.repeat(1_000_000))).toEqual(['a']);
  expect(wordsOf(`${'a '.repeat(1_000)}b`)).toEqual(['a']);
});
