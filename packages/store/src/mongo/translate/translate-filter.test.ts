import { expect, it } from 'vitest';
import { isSearch, translateFilter } from './translate-filter.ts';

it('does not change what the port shares with the server', () => {
  const filter = {
    _id: 'a',
    name: null,
    rank: { $gt: 1, $lte: 5 },
    parts: { $elemMatch: { key: 'k', size: { $in: [1] } } },
    $or: [{ flag: true }, { $nor: [{ tags: 'x' }] }],
  };
  expect(translateFilter(filter)).toEqual(filter);
});

it('looks up the grams of a term, and verifies the literal term', () => {
  expect(translateFilter({ $contains: { paths: ['name'], term: 'a.b*' } })).toEqual({
    $and: [{ '_grams.name': { $all: ['a.b', '.b*'] }, name: { $regex: 'a\\.b\\*' } }],
  });
});

it('looks up no grams for a short term', () => {
  expect(translateFilter({ group: 'g', $contains: { paths: ['name', 'alias'], term: '\0$' } })).toEqual({
    $and: [{ group: 'g' }, { $or: [{ name: { $regex: '\\x00\\$' } }, { alias: { $regex: '\\x00\\$' } }] }],
  });
});

it('detects a search at any depth', () => {
  const search = { $contains: { paths: ['name'], term: 'x' } };
  expect(isSearch(search)).toBe(true);
  expect(isSearch({ group: 'g', $and: [{ $and: [search] }] })).toBe(true);
  expect(isSearch({ group: 'g', tags: { $in: ['$contains'] } })).toBe(false);
});

it.each([
  [{ name: undefined }],
  [{ name: { $gt: undefined } }],
  [{ name: { $in: ['a', undefined] } }],
  [{ $or: [{ name: undefined }] }],
  [{ parts: { $elemMatch: { key: undefined } } }],
  [{ tags: { $elemMatch: { $gt: undefined } } }],
  [{ $or: [] }],
  [{ name: {} }],
  [{ name: ['a'] }],
  [{ name: { $regex: 'a' } }],
  [{ $where: 'true' }],
])('refuses %j', (filter) => {
  expect(() => translateFilter(filter)).toThrow(TypeError);
});
