import { expect, it } from 'vitest';
import { declareCollection } from '../../port/declaration.ts';
import type { Connection } from '../engine/connection.ts';
import { boundOfRecent, RecentDocuments } from '../engine/recent-documents.ts';
import { layOut } from '../layout/layout.ts';
import { loadIds } from './load-ids.ts';

it('runs no statement for documents that are cached', () => {
  const recent = new RecentDocuments(boundOfRecent());
  const [a, b] = [recent.keep(1, '{"_id":"a","count":1}'), recent.keep(2, '{"_id":"b"}')];
  const layout = layOut(declareCollection({ name: 'test.things', shardKey: '_id', indexes: [] }));
  const unused = {} as Connection;
  expect(loadIds(unused, recent, { layout, fields: undefined }, ['a', 'b'])).toEqual([a, b]);
  const statements: string[] = [];
  const connection = {
    all({ params }: { readonly params: readonly unknown[] }) {
      statements.push(String(params));
      return [];
    },
    get: () => ['[]'],
  } as unknown as Connection;
  expect(loadIds(connection, recent, { layout, fields: ['_id'] }, ['a', 'c'])).toEqual([{ _id: 'a' }]);
  expect(statements).toEqual(['["c"]']);
});
