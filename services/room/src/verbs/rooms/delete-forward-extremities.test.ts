import { create } from '@bufbuild/protobuf';
import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import { systemRandom } from '@steward/kernel';
import {
  DeleteForwardExtremitiesRequestSchema,
  ListForwardExtremitiesRequestSchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { insertAggregates, openCollections } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deps } from '../../core/deps.ts';
import { type Extremity, newRoom, rooms } from '../../core/model/room.ts';
import { deleteForwardExtremities } from './delete-forward-extremities.ts';
import { listForwardExtremities } from './list-forward-extremities.ts';

const ROOM = '!room:test';

const extremity = (arrival: number, depth: number): Extremity => ({
  event_id: `$${arrival}`,
  depth,
  received_ts: arrival * 10,
  arrival,
});

let store: Store;
let deps: Deps;
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  const room = { roomId: ROOM, roomVersion: '10', creator: '@a:test', public: false, now: 0 };
  // An import may leave a deepest extremity that is not the one that arrived last.
  const extremities = [extremity(7, 9), extremity(9, 4), extremity(8, 5)];
  const opened = await openCollections(store, { rooms });
  await insertAggregates(opened.rooms, [{ ...newRoom(room), version: 1, arrival: 9, depth: 9, extremities }]);
  deps = { ...opened, clock: createFakeClock(), random: systemRandom } as Partial<Deps> as Deps;
});
afterAll(() => store.close());

it('concurrent deletions keep the extremity that arrived last, and count each deleted one once', async () => {
  const named = { roomIdOrAlias: ROOM };
  const list = () => listForwardExtremities(deps, create(ListForwardExtremitiesRequestSchema, named));
  const context = { values: createContextValues() } as HandlerContext;
  const remove = () =>
    deleteForwardExtremities(deps, create(DeleteForwardExtremitiesRequestSchema, named), context);
  const last = { eventId: '$9', stateGroup: 9n, depth: 4n, receivedTs: 90n };
  expect(await list()).toMatchObject({ count: 3n, results: [{ eventId: '$7' }, { eventId: '$8' }, last] });
  const deleted = await Promise.all([remove(), remove(), remove()]);
  expect(deleted.map((answer) => answer.deleted).sort()).toEqual([0n, 0n, 2n]);
  expect(await list()).toEqual({ count: 1n, results: [last] });
});
