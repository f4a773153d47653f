import { expect, it } from 'vitest';
import { filtersOf, listParamsOf, tabOf } from './report-filters.ts';

const ME = '@me:test';

it('selects the cases that need a decision unless the address says otherwise', () => {
  expect(tabOf({})).toBe('unresolved');
  expect(tabOf({ state: 'nonsense' })).toBe('unresolved');
  expect(listParamsOf({}, ME)).toEqual({ group: 'subject', state: ['open', 'triaged', 'escalated'] });
  expect(listParamsOf({ state: 'open' }, ME)).toEqual({ group: 'subject', state: ['open'] });
  expect(listParamsOf({ state: 'all' }, ME)).toEqual({ group: 'subject' });
});

it('counts by all filters but the state, and resolves who reads', () => {
  expect(filtersOf({ state: 'resolved', assignee: 'me' }, ME)).toEqual({ group: 'subject', assignee: ME });
});

it('finds users by their names on this server, too', () => {
  expect(filtersOf({ user: 'eve' }, ME)).toEqual({ group: 'subject', user: '@eve:test' });
  expect(filtersOf({ user: '@eve:other' }, ME)).toEqual({ group: 'subject', user: '@eve:other' });
});

it('lists reports and not cases by their reporter, in the only order that they have', () => {
  expect(listParamsOf({ reporter: '@r:test', order_by: 'report_count', dir: 'f' }, ME)).toEqual({
    reporter: '@r:test',
    state: ['open', 'triaged', 'escalated'],
    dir: 'f',
  });
});

it('asks for nothing that the server would refuse', () => {
  const search = { kind: 'x', severity: 'y', order_by: 'z', dir: 'w', state: 'all' };
  expect(listParamsOf(search, ME)).toEqual({ group: 'subject' });
});
