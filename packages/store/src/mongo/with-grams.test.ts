import { expect, it } from 'vitest';
import { withGrams } from './with-grams.ts';

it('adds the grams of each search field that holds a text', () => {
  const document = { _id: 'a', name: 'abcd', alias: null };
  expect(withGrams(document, ['name', 'alias', 'nick'])).toEqual({
    ...document,
    _grams: { name: ['abc', 'bcd'] },
  });
});

it('leaves a document alone that is not searched in', () => {
  const document = { _id: 'a' };
  expect(withGrams(document, [])).toBe(document);
});
