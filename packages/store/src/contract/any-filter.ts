import fc from 'fast-check';

/** Paths of things, with and without indexes. */
export const PATHS = [
  '_id',
  'group',
  'name',
  'rank',
  'flag',
  'count',
  'note',
  'seen.at',
  'code',
  'tags',
  'parts.key',
];
const tested = fc.constantFrom<unknown>(
  'x',
  'y',
  null,
  { $in: ['y', 'x'] },
  { $in: [] },
  { $gt: 'a', $lte: 'y' },
  { $gt: 'a' },
  { $in: ['x', null] },
  { $ne: 'x' },
  { $exists: true },
);
const elements = fc.constantFrom({ kind: 'x' }, { size: { $gt: 1 } }, { kind: 'x', size: 2 });
const flat = fc.dictionary(fc.constantFrom(...PATHS), tested, { minKeys: 1, maxKeys: 3 });
/** Filters of many shapes, with few values, so that shapes come again with other values. */
export const anyFilter: fc.Arbitrary<object> = fc.oneof(
  fc.constant({}),
  flat,
  elements.map(($elemMatch) => ({ parts: { $elemMatch } })),
  fc.tuple(flat, flat).map((both) => ({ $or: both })),
  fc.constantFrom('m', 3).map((name) => ({ $or: [{ name: { $lt: name } }, { name, _id: { $gt: 'x' } }] })),
  fc.constant({ $contains: { paths: ['folded'], term: 'x' }, group: 'x' }),
);
