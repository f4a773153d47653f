import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { openSqliteStore } from '@steward/store';
import type { CrashPoint } from '@steward/store/testing';
import { expect, it } from 'vitest';
import { runScenario, type Scenario } from '../../fixtures/crash-points.ts';
import { collectionsOf, recount } from '../../fixtures/recount.ts';
import type { TestService } from '../../fixtures/test-service.ts';

const USER = '@user:test';

/** More calls of the store than the scenario makes. */
const MAX_CALLS = 60;

const send = (service: TestService, roomId: string, txnId: string) =>
  service
    .client(EventService, USER)
    .sendEvent({ roomId, eventType: 'm.x', txnId, content: `{"n":"${txnId}"}` });

it.each<CrashPoint>(['before', 'during', 'after'])(
  'an event that is sent to a remembered room is stored exactly once if the process crashes %s a call of the store',
  async (how) => {
    let crashed = true;
    for (let call = 1; crashed && call < MAX_CALLS; call++) {
      const store = await openSqliteStore({ path: ':memory:' });
      const scenario: Scenario<{ roomId: string; first: string }> = {
        async prepare(service) {
          const { roomId } = await service.client(RoomService, USER).createRoom({ preset: 'public_chat' });
          return { roomId, first: (await send(service, roomId, 'first')).eventId };
        },
        async begin(service, { roomId, first }) {
          const events = service.client(EventService, USER);
          await send(service, roomId, 'second');
          await events.redact({ roomId, eventId: first, txnId: 'away', content: '{}' });
          await events.putState({
            roomId,
            eventType: 'm.room.topic',
            stateKey: '',
            content: '{"topic":"T"}',
          });
          await send(service, roomId, 'third');
          // Refused even if the room is remembered.
          const elsewhere = { roomId, eventType: 'm.room.create', stateKey: '', content: '{}' };
          await expect(events.putState(elsewhere)).rejects.toThrow();
        },
        async expect(_, { roomId, first }) {
          const { kept, counted } = await recount(store, roomId);
          expect(kept).toEqual(counted);
          const { events } = await collectionsOf(store);
          const admitted = { room_id: roomId, type: 'm.x', arrival: { $gt: 0 } };
          const sent = await events.find(admitted, { sort: { arrival: 1 } }).toArray();
          expect(sent.map(({ txn_id }) => txn_id)).toEqual(['first', 'second', 'third']);
          expect(sent[0]).toMatchObject({ _id: first, redacted_by: expect.any(String) });
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
