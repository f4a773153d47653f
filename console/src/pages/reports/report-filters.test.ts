import { expect, it } from 'vitest';
import { filtersOf, listParamsOf, stateOf } from './report-filters.ts';

const ME = '@me:test';

it('selects open cases unless the address says otherwise', () => {
  expect(stateOf({})).toBe('open');
  expect(stateOf({ state: 'nonsense' })).toBe('open');
  expect(listParamsOf({}, ME)).toEqual({ group: 'subject', state: ['open'] });
  expect(listParamsOf({ state: 'all' }, ME)).toEqual({ group: 'subject' });
});

it('counts by all filters but the state, and resolves who reads', () => {
  expect(filtersOf({ state: 'resolved', assignee: 'me' }, ME)).toEqual({ group: 'subject', assignee: ME });
});

it('lists reports and not cases by their reporter, in the only order that they have', () => {
  expect(listParamsOf({ reporter: '@r:test', order_by: 'report_count', dir: 'f' }, ME)).toEqual({
    reporter: '@r:test',
    state: ['open'],
    dir: 'f',
  });
});

it('asks for nothing that the server would refuse', () => {
  const search = { kind: 'x', severity: 'y', order_by: 'z', dir: 'w', state: 'all' };
  expect(listParamsOf(search, ME)).toEqual({ group: 'subject' });
});
