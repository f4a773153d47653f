import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { SignalService } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { openSqliteStore } from '@steward/store';
import { type CrashPoint, explain } from '@steward/store/testing';
import { expect, it } from 'vitest';
import { runScenario, type Scenario } from '../../fixtures/crash-points.ts';
import { collectionsOf } from '../../fixtures/recount.ts';
import type { TestService } from '../../fixtures/test-service.ts';
import { receiptStreams, receipts } from '../model/receipt.ts';

const USER = '@user:test';

/** More calls of the store than the scenario makes. */
const MAX_CALLS = 60;

const read = (service: TestService, roomId: string, eventId: string) =>
  service.client(SignalService, USER).sendReceipt({ roomId, eventId, receiptType: 'm.read' });

it.each<CrashPoint>(['before', 'after'])(
  'a repeated receipt is announced, and no room changes, if the process crashes %s a call of the store',
  async (how) => {
    let crashed = true;
    for (let call = 1; crashed && call < MAX_CALLS; call++) {
      const store = await openSqliteStore({ path: ':memory:' });
      const scenario: Scenario<{ roomId: string; sent: readonly string[]; version: number | undefined }> = {
        async prepare(service) {
          const { roomId } = await service.client(RoomService, USER).createRoom({ preset: 'public_chat' });
          const sent: string[] = [];
          for (const txnId of ['1', '2']) {
            const event = { roomId, eventType: 'm.x', txnId, content: '{}' };
            sent.push((await service.client(EventService, USER).sendEvent(event)).eventId);
          }
          const { rooms } = await collectionsOf(store);
          return { roomId, sent, version: (await rooms.findOne({ _id: roomId }))?.version };
        },
        async begin(service, { roomId, sent }) {
          for (const eventId of sent) await read(service, roomId, eventId);
          await read(service, roomId, sent[0] ?? '');
        },
        async expect(_, { roomId, sent, version }) {
          const [stream] = await (await store.collection(receiptStreams)).find({}).toArray();
          expect(stream?.pending ?? []).toEqual([]);
          const found = await (await store.collection(receipts)).find({}).toArray();
          expect(found).toMatchObject([{ event_id: sent[1], position: stream?.version }]);
          expect(found[0]?.announced).toBe(found[0]?.arrival);
          const { rooms } = await collectionsOf(store);
          expect((await rooms.findOne({ _id: roomId }))?.version).toBe(version);
        },
      };
      try {
        crashed = await runScenario(store, scenario, call, how);
      } finally {
        await store.close();
      }
    }
    expect(crashed).toBe(false);
  },
);

it('indexes serve the queries of receipts', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const collection = await store.collection(receipts);
  const since = { room_id: 'r', position: { $gt: 3, $lte: 9 } };
  for (const sort of [{ position: 1 }, { position: -1 }] as const) {
    const { plan } = explain(collection, since, { sort, limit: 10 });
    expect(plan.join()).toMatch(/by_position .*position>/);
    expect(plan.join()).not.toContain('TEMP B-TREE');
  }
  expect(explain(collection, { user_id: 'u', ts: { $lt: 5 } }, {}).plan.join()).toContain('/by_user ');
  await store.close();
});
