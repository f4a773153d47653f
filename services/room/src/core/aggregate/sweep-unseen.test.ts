import { openCollections } from '@steward/service';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { collectionsOf } from '../../fixtures/recount.ts';
import { collections } from '../collections.ts';
import type { EventDocument } from '../model/event-document.ts';
import { noMember } from '../model/member.ts';
import { newRoom } from '../model/room.ts';
import { EMPTY_INTERVAL } from '../model/state-document.ts';
import { sweepUnseen } from './sweep-unseen.ts';

const HOUR_MS = 60 * 60_000;
const ROOM = '!room:test';

const eventOf = (_id: string, fields: Partial<EventDocument>): EventDocument => ({
  _id,
  room_id: ROOM,
  room_version: '10',
  depth: 1,
  type: 'm.x',
  sender: '@a:test',
  state_key: '',
  origin_server_ts: 0,
  received_ts: 0,
  json: '{}',
  bytes: 2,
  media: [],
  ...fields,
});

it('deletes old events that no commit has admitted', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const { rooms, events, states } = await collectionsOf(store);
  const clock = createFakeClock();
  const now = clock.now();
  await rooms.insertOne({
    ...newRoom({ roomId: ROOM, roomVersion: '10', creator: '@a:test', public: false, now }),
    pending: [{ id: 'p', kind: 'event', event_id: '$pending', arrival: 2, traceparent: '' }],
  });
  const all = [
    eventOf('$seen', { arrival: 1 }),
    eventOf('$pending', { unseen_since: now }),
    eventOf('$left', { unseen_since: now }),
    eventOf('$young', { unseen_since: now + HOUR_MS }),
  ];
  await events.insertMany(all);
  await states.insertMany(
    all.map(({ _id, type }) => ({ _id, room_id: ROOM, type, state_key: '', ...EMPTY_INTERVAL })),
  );

  clock.advance(HOUR_MS + 1);
  await sweepUnseen({ clock, ...(await openCollections(store, collections)) });
  const ids = async (found: AsyncIterable<{ _id: string }>) => {
    const list: string[] = [];
    for await (const { _id } of found) list.push(_id);
    return list.sort();
  };
  expect(await ids(events.find({}))).toEqual(['$pending', '$seen', '$young']);
  expect(await ids(states.find({}))).toEqual(['$pending', '$seen', '$young']);
  await store.close();
});

it('deletes the member document of a join to a room that was deleted before the commit', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const { events, members } = await collectionsOf(store);
  const clock = createFakeClock();
  const join = { type: 'm.room.member', state_key: '@a:test', unseen_since: clock.now() };
  await events.insertOne(eventOf('$join', join));
  await members.insertOne(noMember(ROOM, '@a:test', 'test'));
  clock.advance(HOUR_MS + 1);
  await sweepUnseen({ clock, ...(await openCollections(store, collections)) });
  expect(await members.countDocuments({})).toBe(0);
  await store.close();
});
