import { insertAggregates, openCollections } from '@steward/service';
import { openSqliteStore } from '@steward/store';
import { expect, it } from 'vitest';
import type { EventDocument } from '../../core/model/event-document.ts';
import { events } from '../../core/model/event-document.ts';
import { newRoom, rooms } from '../../core/model/room.ts';
import { roomMediaPage } from './room-media.ts';

const ROOM = '!room:test';

const event = (arrival: number, media: readonly string[], room_id = ROOM): EventDocument => ({
  _id: `$${room_id} ${arrival}`,
  room_id,
  room_version: '10',
  arrival,
  depth: arrival,
  type: 'm.room.message',
  sender: '@a:test',
  origin_server_ts: 1,
  received_ts: 1,
  json: '{}',
  bytes: 2,
  media,
});

it('pages run from the newest event of a room to its first, and each reads a bounded number of events', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const deps = await openCollections(store, { rooms, events });
  const room = newRoom({ roomId: ROOM, roomVersion: '10', creator: '@a:test', public: false, now: 1 });
  await insertAggregates(deps.rooms, [{ ...room, arrival: 25_000 }]);
  await deps.events.insertMany([
    event(1, ['mxc://test/first']),
    event(12_000, ['mxc://test/middle', 'mxc://test/small']),
    event(12_001, []),
    event(25_000, ['mxc://test/last']),
    event(25_000, ['mxc://test/elsewhere'], '!other:test'),
  ]);

  const pages: (readonly string[])[] = [];
  let before: number | undefined;
  do {
    const page = await roomMediaPage(deps, ROOM, before);
    pages.push(page.uris);
    before = page.next;
  } while (before !== undefined);
  expect(pages).toEqual([
    ['mxc://test/last'],
    ['mxc://test/middle', 'mxc://test/small'],
    ['mxc://test/first'],
  ]);
  expect(await roomMediaPage(deps, '!unknown:test')).toEqual({ uris: [], next: undefined });
  await store.close();
});
