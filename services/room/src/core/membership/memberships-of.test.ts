import { openSqliteStore } from '@steward/store';
import { expect, it } from 'vitest';
import { members, noMember } from '../model/member.ts';
import { membershipsOf } from './memberships-of.ts';

const USER = '@user:test';
/** More than fit on two pages. */
const ROOMS = 1_203;

it('reads every membership once, even if those on earlier pages change', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const membersOf = await store.collection(members);
  const documents = Array.from({ length: ROOMS }, (_, n) => ({
    ...noMember(`!${n}:test`, USER, 'test'),
    membership: 'join',
    // Many membership epochs have the same number, as imported ones may.
    stay: n % 3,
  }));
  await membersOf.insertMany(documents);
  const seen: string[] = [];
  for await (const page of membershipsOf({ members: membersOf }, USER, 'join')) {
    for (const { _id, room_id } of page.slice(0, 100)) {
      await membersOf.updateOne({ _id }, { $set: { membership: 'leave' } });
      expect(seen).not.toContain(room_id);
    }
    seen.push(...page.map(({ room_id }) => room_id));
  }
  expect(seen.toSorted()).toEqual(documents.map(({ room_id }) => room_id).toSorted());
  await store.close();
});
