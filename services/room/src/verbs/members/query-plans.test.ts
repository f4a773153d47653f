import {
  type Collection,
  type Doc,
  type Filter,
  type FindOptions,
  openSqliteStore,
  type Store,
} from '@steward/store';
import { explain } from '@steward/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EventDocument } from '../../core/model/event-document.ts';
import { events } from '../../core/model/event-document.ts';
import type { MemberDocument } from '../../core/model/member.ts';
import { members } from '../../core/model/member.ts';

let store: Store;
let membersOf: Collection<MemberDocument>;
let eventsOf: Collection<EventDocument>;
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  membersOf = await store.collection(members);
  eventsOf = await store.collection(events);
});
afterAll(() => store.close());

function expectIndex<T extends Doc>(collection: Collection<T>, filter: Filter<T>): void {
  const { plan } = explain(collection, filter);
  expect(plan.join('\n')).toMatch(/^SEARCH /m);
  expect(plan.join('\n')).not.toMatch(/^SCAN room\.\w+(?! USING)/m);
}

it.each<Filter<MemberDocument>>([
  { room_id: '!a:test', membership: 'join' },
  { room_id: '!a:test', local: true, forgotten: false, membership: 'join' },
  { room_id: '!a:test', local: true, forgotten: false, membership: { $ne: 'none' } },
  { user_id: '@a:test', membership: 'join' },
  { user_id: '@a:test', membership: { $ne: 'none' } },
  { user_id: { $in: ['@a:test', '@b:test'] }, membership: 'join' },
  { user_id: '@a:test', membership: 'join', stay: 1, room_id: { $gt: '!a:test' } },
  { user_id: '@a:test', membership: { $in: ['join', 'leave'] }, stay: { $gte: 1 } },
])('an index serves the query for members %j', (filter) => expectIndex(membersOf, filter));

it.each<[Filter<MemberDocument>, FindOptions<MemberDocument>]>([
  [
    { room_id: '!a:test', membership: 'join' },
    { sort: { user_id: 1 }, projection: { _id: 0, user_id: 1 } },
  ],
  [{ room_id: '!a:test', local: true, forgotten: false, membership: 'join' }, { projection: { _id: 1 } }],
  [
    { user_id: '@a:test', membership: 'join' },
    { sort: { stay: 1, room_id: 1 }, projection: { _id: 0, room_id: 1 } },
  ],
  [
    { user_id: '@a:test', membership: { $ne: 'none' } },
    { projection: { _id: 0, room_id: 1, membership: 1 } },
  ],
  [
    { user_id: { $in: ['@a:test', '@b:test'] }, membership: 'join' },
    { sort: { user_id: 1 }, limit: 10, projection: { _id: 0, user_id: 1, room_id: 1 } },
  ],
])('no member is read for the fields of the query %j', (filter, options) => {
  expect(explain(membersOf, filter, options).indexOnly).toBe(true);
});

it('an index serves the query for the invitations by a user', () => {
  expectIndex(eventsOf, { inviter: '@a:test', received_ts: { $gte: 1 }, arrival: { $gt: 0 } });
});
