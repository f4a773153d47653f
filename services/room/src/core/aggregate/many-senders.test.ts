import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { collectionsOf, recount } from '../../fixtures/recount.ts';
import { startTestService, type TestService } from '../../fixtures/test-service.ts';

const MACHINES = 2;
const SENDERS = Array.from({ length: 16 }, (_, n) => `@sender${n}:test`);
const MESSAGES = 10;

/** Runs a test on machines that share only a store. */
async function onMachines(store: Store, body: (machines: readonly TestService[]) => Promise<void>) {
  const clock = createFakeClock();
  const closing: (() => Promise<unknown>)[] = [];
  const machines: TestService[] = [];
  try {
    for (let n = 0; n < MACHINES; n++) {
      const busStore = await openSqliteStore({ path: ':memory:' });
      const bus = await createLocalBus({ store: busStore, clock, random: systemRandom, report: () => {} });
      const machine = await startTestService({ store, bus, clock, isAlone: false });
      machines.push(machine);
      closing.push(
        () => machine.close(),
        () => bus.close(),
        () => busStore.close(),
      );
    }
    await body(machines);
  } finally {
    for (const close of closing) await close();
  }
}

describe.each(stores)('$title', ({ missing, open }) => {
  it.skipIf(missing).each([1, 4])(
    'no event of 16 concurrent senders to %i rooms is lost, duplicated or reordered',
    async (rooms) => {
      const { store, drop } = await open();
      await onMachines(store, async (machines) => {
        const machineOf = (n: number) => machines[n % MACHINES] as TestService;
        const roomIds: string[] = [];
        for (let n = 0; n < rooms; n++) {
          const creator = machineOf(n).client(RoomService, SENDERS[0] as string);
          roomIds.push((await creator.createRoom({ preset: 'public_chat' })).roomId);
        }
        const sent = await Promise.all(
          SENDERS.map(async (userId, n) => {
            const roomId = roomIds[n % rooms] as string;
            // Each event is sent on another machine than the one before.
            const ids: string[] = [];
            await machineOf(n).client(MembershipService, userId).joinRoom({ roomId });
            for (let m = 0; m < MESSAGES; m++) {
              const request = { roomId, eventType: 'm.x', txnId: `${m}`, content: '{}' };
              ids.push(
                (
                  await machineOf(n + m)
                    .client(EventService, userId)
                    .sendEvent(request)
                ).eventId,
              );
            }
            return ids;
          }),
        );
        const { events } = await collectionsOf(store);
        for (const [n, ids] of sent.entries()) {
          const filter = { sender: SENDERS[n] as string, type: 'm.x', arrival: { $gt: 0 } };
          const arrived = await events.find(filter, { sort: { arrival: 1 } }).toArray();
          expect(arrived.map(({ _id }) => _id)).toEqual(ids);
        }
        for (const roomId of roomIds) {
          const { kept, counted } = await recount(store, roomId);
          expect(kept).toEqual(counted);
        }
        for (const { faults } of machines) expect(faults).toEqual([]);
      }).finally(drop);
    },
  );
});
