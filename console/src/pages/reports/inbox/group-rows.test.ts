import { expect, it } from 'vitest';
import type { RowSource } from '../../../api/row-source.ts';
import { groupRows } from './group-rows.ts';
import type { InboxRow } from './inbox-row.ts';

it('puts the cases about a user into one row, which asks for further rows like the last one of the list', () => {
  const users = ['@a:test', '@b:test', '@a:test', null, null, '@a:test'];
  const loaded = users.map((user_id, index) => ({ id: `case-${index}`, user_id }) as InboxRow);
  const shown: (readonly number[])[] = [];
  const source: RowSource<InboxRow> = {
    ...{ count: loaded.length + 1, total: 9, loading: false, error: null, retry: () => undefined },
    at: (index) => loaded[index],
    show: (first, last) => shown.push([first, last]),
  };
  const { rows, idsOf } = groupRows(source);
  expect(rows.count).toBe(5);
  expect([0, 1, 2, 3, 4].map((index) => rows.at(index)?.id)).toEqual([
    'case-0',
    'case-1',
    'case-3',
    'case-4',
    undefined,
  ]);
  expect(idsOf('case-0')).toEqual(['case-0', 'case-2', 'case-5']);
  expect(idsOf('case-3')).toEqual(['case-3']);
  rows.show(0, 1);
  rows.show(0, 4);
  expect(shown).toEqual([
    [0, 1],
    [0, 6],
  ]);
});
