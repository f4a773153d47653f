import { expect, it } from 'vitest';
import { translateUpdate } from './translate-update.ts';

const search = ['name', 'alias'];

it('does not change an update without search fields', () => {
  const update = { $set: { rank: 1 }, $inc: { count: 2 } };
  expect(translateUpdate(update, search)).toEqual(update);
});

it('sets the grams with the text', () => {
  expect(translateUpdate({ $set: { name: 'abcd', rank: 1 } }, search)).toEqual({
    $set: { name: 'abcd', rank: 1, '_grams.name': ['abc', 'bcd'] },
  });
});

it('removes the grams with the text', () => {
  expect(translateUpdate({ $set: { name: null }, $unset: { alias: true } }, search)).toEqual({
    $set: { name: null },
    $unset: { alias: true, '_grams.name': true, '_grams.alias': true },
  });
});

it('adds the grams of the document that an upsert inserts', () => {
  const update = { $set: { rank: 1 }, $setOnInsert: { alias: 'xyz' } };
  expect(translateUpdate(update, search, { $and: [{ name: 'abc' }] })).toEqual({
    $set: { rank: 1 },
    $setOnInsert: { alias: 'xyz', '_grams.alias': ['xyz'], '_grams.name': ['abc'] },
  });
});

it('prefers the value of the update to that of the filter of an upsert', () => {
  expect(translateUpdate({ $set: { name: 'xyz' } }, search, { name: 'abc' })).toEqual({
    $set: { name: 'xyz', '_grams.name': ['xyz'] },
  });
});

it('refuses operators that depend on the old value of a search field', () => {
  expect(() => translateUpdate({ $max: { name: 'x' } }, search)).toThrow(TypeError);
});

it('ignores undefined operands, and keeps an empty update valid', () => {
  expect(translateUpdate({ $set: { rank: undefined }, $inc: undefined }, search)).toEqual({ $set: {} });
});

it('appends no elements in the same way on every server', () => {
  expect(translateUpdate({ $push: { tags: { $each: [] }, labels: 'x' } }, search)).toEqual({
    $push: { labels: 'x' },
    $max: { tags: [] },
  });
});
