import { expect, it } from 'vitest';
import { firstId, firstOfList } from '../../port/shard-key-of-id.ts';
import { reachOneShard } from './reach-one-shard.ts';

const byUser = { shardKey: 'user_id' as '_id', shardKeyOfId: firstId };

it('adds the shard key of the ids that a filter names', () => {
  expect(reachOneShard(byUser, { _id: '@a:test PHONE' })).toEqual({
    _id: '@a:test PHONE',
    user_id: '@a:test',
  });
  const _id = { $in: ['@a:test PHONE', '@b:test X', '@a:test Y'] };
  expect(reachOneShard(byUser, { _id, epoch: 1 })).toEqual({
    _id,
    epoch: 1,
    user_id: { $in: ['@a:test', '@b:test'] },
  });
  const lists = { ...byUser, shardKeyOfId: firstOfList };
  const list = JSON.stringify(['@a:test', 1, '!r:test']);
  expect(reachOneShard(lists, { _id: list })).toEqual({ _id: list, user_id: '@a:test' });
});

it('leaves other filters as they are', () => {
  for (const filter of [
    {},
    { _id: { $gt: 'a' } },
    { user_id: '@a:test' },
    { _id: '@a:test X', user_id: 'b' },
  ])
    expect(reachOneShard(byUser, filter)).toBe(filter);
  expect(reachOneShard({ shardKey: '_id' }, { _id: 'a' })).toEqual({ _id: 'a' });
  expect(reachOneShard({ shardKey: null }, { _id: 'a' })).toEqual({ _id: 'a' });
});

it.each([
  ['@a:test', '@a:test'],
  ['@a:test:8448 PHONE: MINE', '@a:test:8448'],
  ['@two words:test MY PHONE', '@two words:test'],
  ['!a:test @two words:test', '!a:test'],
  ['!two words:test @a:test', '!two words:test'],
  [`!${'h'.repeat(43)} @a:test`, `!${'h'.repeat(43)}`],
  ['ring signed_curve25519:AAAA', 'ring'],
])('the id %j begins with %j', (id, first) => {
  expect(firstId(id)).toBe(first);
});
