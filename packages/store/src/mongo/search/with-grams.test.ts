import { expect, it } from 'vitest';
import { withGrams } from './with-grams.ts';

it('adds the grams of each search field that holds a text', () => {
  const document = { _id: 'a', name: 'abcd', alias: null };
  expect(withGrams(document, ['name', 'alias', 'nick'])).toEqual({
    ...document,
    _grams: { name: ['abc', 'bcd'] },
  });
});

it('does not change a document without search fields', () => {
  const document = { _id: 'a' };
  expect(withGrams(document, [])).toBe(document);
});
