import { expect, it } from 'vitest';
import { loadedIds, selectedShare } from './selected-share.ts';

const idOf = (id: string) => id;
/** A list of which the first rows are loaded. */
const listOf = (total: number | undefined, loaded: number, count = total ?? loaded) => ({
  list: 'all',
  total,
  count,
  at: (index: number) => (index < loaded ? `@${index}` : undefined),
  show: () => undefined,
  loading: false,
  error: null,
  retry: () => undefined,
});
const selected = (count: number, whole?: { list: string; count: number }) => ({
  size: count,
  whole,
  has: (id: string) => Number(id.slice(1)) < count,
});

it.each([
  ['nothing', listOf(38, 38), selected(0), 'none'],
  ['the rows in sight, of 38 that match', listOf(38, 38), selected(26), 'some'],
  ['all rows', listOf(38, 38), selected(38), 'all'],
  ['all rows that are loaded, of more that match', listOf(260, 200), selected(200), 'some'],
  [
    'all rows that are loaded of a list without a total that goes on',
    listOf(undefined, 100, 101),
    selected(100),
    'some',
  ],
  ['all rows of a list without a total', listOf(undefined, 100), selected(100), 'all'],
  [
    'all that match, of which some are loaded',
    listOf(260, 200),
    selected(260, { list: 'all', count: 260 }),
    'all',
  ],
  [
    'all that matched before another was added',
    listOf(261, 200),
    selected(260, { list: 'all', count: 260 }),
    'some',
  ],
  ['all of another list', listOf(260, 200), selected(260, { list: 'other', count: 260 }), 'some'],
] as const)('The header checkbox says how much of the list is selected: %s', (_, rows, selection, share) => {
  expect(selectedShare(rows, idOf, selection)).toBe(share);
});

it('All rows that are loaded can be selected at once, also those out of sight', () => {
  expect(loadedIds(listOf(260, 200), idOf)).toHaveLength(200);
});
