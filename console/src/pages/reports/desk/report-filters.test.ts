import { expect, it } from 'vitest';
import { filtersOf, isGrouped, listParamsOf, tabOf } from './report-filters.ts';

const ME = '@me:test';

it('selects the cases that need a decision unless the address says otherwise', () => {
  expect(tabOf({})).toBe('unresolved');
  expect(tabOf({ state: 'nonsense' })).toBe('unresolved');
  const urgent = { group: 'subject', order_by: 'urgency', dir: 'b' };
  expect(listParamsOf({}, ME)).toEqual({ ...urgent, state: ['open', 'triaged', 'escalated'] });
  expect(listParamsOf({ state: 'open' }, ME)).toEqual({ ...urgent, state: ['open'] });
  expect(listParamsOf({ state: 'all' }, ME)).toEqual(urgent);
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

it('keeps the order that was chosen last unless the address says otherwise', () => {
  const chosen = { by: 'report_count', dir: 'f' } as const;
  const all = { state: 'all', group: 'subject' };
  expect(listParamsOf({ state: 'all' }, ME, chosen)).toEqual({
    group: 'subject',
    order_by: 'report_count',
    dir: 'f',
  });
  expect(listParamsOf({ ...all, order_by: 'received_ts', dir: 'b' }, ME, chosen)).toMatchObject({
    order_by: 'received_ts',
    dir: 'b',
  });
});

it('has one row for the cases about a user only where the server says how many there are', () => {
  expect(isGrouped({})).toBe(true);
  expect(isGrouped({ user: '@eve:test' })).toBe(false);
  expect(isGrouped({ state: 'all' })).toBe(false);
});
