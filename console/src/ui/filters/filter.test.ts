import { expect, it } from 'vitest';
import { readSearch } from './filter.ts';

const KINDS = { name: 'text', kinds: 'choices', size: 'number', since: 'time', locked: 'flag' } as const;

it('Filters are read from an address without what is not seen of them', () => {
  const query = {
    name: '\u2068@bob:test\u2069 ',
    kinds: ['\u200bbot', ' '],
    size: ' 5',
    since: '2026-11-27T10:00',
    locked: 'true',
  };
  expect(readSearch(KINDS, query)).toEqual({
    name: '@bob:test',
    kinds: ['bot'],
    size: '5',
    since: '2026-11-27T10:00',
    locked: 'true',
  });
});

it('Filters of an address that are malformed or empty are left out', () => {
  const query = { name: '\u2068\u2069', kinds: [''], size: 'five', since: 'now', locked: 'maybe' };
  expect(readSearch(KINDS, query)).toEqual({});
});
