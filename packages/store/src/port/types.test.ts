import { expect, it } from 'vitest';
import { type Doc, declareCollection } from './declaration.ts';
import type { Filter, Sort } from './filter.ts';
import type { Update } from './update.ts';

interface Account extends Doc {
  readonly version: number;
  readonly pending?: readonly { readonly id: string }[];
  readonly localpart: string;
  readonly displayname: string | null;
  readonly admin: boolean;
  readonly state: 'active' | 'deactivated';
  readonly seen?: { readonly at: number; readonly from?: { readonly ip: string } };
  readonly tags: readonly string[];
  readonly external_ids?: readonly {
    readonly key: string;
    readonly provider: string;
    readonly rank: number | null;
  }[];
}

it('admits the documented filters', () => {
  const filters: Filter<Account>[] = [
    { _id: '@a:b', displayname: null, admin: true },
    { state: { $in: ['active'] }, 'seen.at': { $gte: 5, $lt: 9 }, 'seen.from.ip': { $exists: false } },
    { tags: 'x', 'external_ids.key': { $in: ['k'] }, 'pending.id': { $gt: '' } },
    {
      tags: { $ne: 'x' },
      external_ids: { $elemMatch: { key: 'k', provider: { $in: ['p'] }, rank: { $gt: 3 } } },
    },
    { tags: { $elemMatch: { $gt: 'a', $lt: 'b' } } },
    {
      $or: [{ admin: true }, { $and: [{ displayname: { $ne: null } }] }],
      $contains: { paths: ['localpart'], term: 'x' },
    },
  ];
  const updates: Update<Account>[] = [
    { $set: { displayname: null, 'seen.at': 3 }, $unset: { seen: true }, $inc: { version: 1 } },
    { $push: { tags: { $each: ['a'] }, external_ids: { key: 'k', provider: 'p', rank: null } } },
    { $pull: { tags: { $in: ['a'] }, external_ids: { key: { $in: ['k'] } } }, $addToSet: { tags: 'b' } },
    { $min: { 'seen.at': 3 }, $max: { localpart: 'z' }, $setOnInsert: { _id: 'x' } },
  ];
  const sorts: Sort<Account>[] = [{ displayname: -1, _id: 1 }, { 'seen.at': 1 }];
  expect([filters, updates, sorts]).toHaveLength(3);
});

it('does not compile filters and updates that an engine lacks', () => {
  const filters: Filter<Account>[] = [
    // @ts-expect-error: no such field
    { nickname: 'x' },
    // @ts-expect-error: another type
    { admin: 1 },
    // @ts-expect-error: not a member of the set
    { state: 'gone' },
    // @ts-expect-error: whole arrays are not compared
    { tags: ['x'] },
    // @ts-expect-error: whole objects are not compared
    { seen: { at: 3 } },
    // @ts-expect-error: null inside an array has different meanings
    { 'external_ids.key': null },
    // @ts-expect-error: booleans have no range
    { admin: { $gt: false } },
    // @ts-expect-error: patterns are not offered
    { localpart: { $regex: 'x' } },
    // @ts-expect-error: positions in arrays are not offered
    { 'tags.0': 'x' },
  ];
  const updates: Update<Account>[] = [
    // @ts-expect-error: ids do not change
    { $set: { _id: 'x' } },
    // @ts-expect-error: not a number
    { $inc: { localpart: 1 } },
    // @ts-expect-error: not an array
    { $push: { localpart: 'x' } },
    // @ts-expect-error: elements are not updated in place
    { $set: { 'external_ids.$.key': 'x' } },
  ];
  // @ts-expect-error: arrays have no order
  const sort: Sort<Account> = { tags: 1 };
  expect([filters, updates, sort]).toHaveLength(3);
});

it('refuses inconsistent declarations', () => {
  const shardKey = null;
  expect(() => declareCollection<Account>({ name: 'accounts', indexes: [], shardKey })).toThrow(
    /service\.collection/,
  );
  expect(() =>
    declareCollection<Account>({
      name: 'user.accounts',
      indexes: [
        { name: 'a', keys: [['admin', 1]] },
        { name: 'a', keys: [['state', 1]] },
      ],
      shardKey,
    }),
  ).toThrow(/twice/);
  expect(() =>
    declareCollection<Account>({
      name: 'user.accounts',
      indexes: [
        {
          name: 'a',
          keys: [
            ['tags', 1],
            ['external_ids.key', 1],
          ],
        },
      ],
      arrays: ['tags', 'external_ids'],
      shardKey,
    }),
  ).toThrow(/more than one array/);
});

it('refuses a shard key beside a unique index, which a cluster could not keep', () => {
  const indexes = [{ name: 'name', keys: [['name', 1]], unique: true }] as const;
  const declaration = { name: 'test.named', indexes } as const;
  expect(() => declareCollection<{ _id: string; name: string }>({ ...declaration, shardKey: '_id' })).toThrow(
    'unique index name',
  );
  expect(declareCollection<{ _id: string; name: string }>({ ...declaration, shardKey: null })).toBeDefined();
});
