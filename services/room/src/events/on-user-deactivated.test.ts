import { type Bus, createLocalBus, outgoing, userDeactivated } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { SignalService } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { type CrashPoint, crashableStore } from '@steward/store/testing';
import { createFakeClock, type FakeClock } from '@steward/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receipts } from '../core/model/receipt.ts';
import { collectionsOf, recount } from '../fixtures/recount.ts';
import { shareBus } from '../fixtures/share-bus.ts';
import { startTestService, type TestService } from '../fixtures/test-service.ts';

const CREATOR = '@creator:test';
const USER = '@user:test';

let store: Store;
let busStore: Store;
let bus: Bus;
let clock: FakeClock;
let services: TestService[];
let isDeactivated: boolean;

beforeEach(begin);
afterEach(end);

async function begin(): Promise<void> {
  store = await openSqliteStore({ path: ':memory:' });
  busStore = await openSqliteStore({ path: ':memory:' });
  clock = createFakeClock();
  bus = shareBus(await createLocalBus({ store: busStore, clock, random: systemRandom }));
  services = [];
  isDeactivated = true;
}

async function end(): Promise<void> {
  await bus.close();
  for (const service of services) await service.close();
  await store.close();
  await busStore.close();
}

async function start(on = store): Promise<TestService> {
  const accounts = { isDeactivated: (userId: string) => isDeactivated && userId === USER };
  const service = await startTestService({ store: on, bus, clock, ...accounts });
  services.push(service);
  return service;
}

const createRoom = async (service: TestService, preset: string) =>
  (await service.client(RoomService, CREATOR).createRoom({ preset })).roomId;

async function joinedRoom(service: TestService): Promise<string> {
  const roomId = await createRoom(service, 'public_chat');
  await service.client(MembershipService, USER).joinRoom({ roomId });
  return roomId;
}

async function invitedRoom(service: TestService): Promise<string> {
  const roomId = await createRoom(service, 'private_chat');
  await service.client(MembershipService, CREATOR).invite({ roomId, userId: USER });
  return roomId;
}

async function knockedRoom(service: TestService): Promise<string> {
  const roomId = await createRoom(service, 'private_chat');
  await service.client(EventService, CREATOR).putState({
    roomId,
    eventType: 'm.room.join_rules',
    content: JSON.stringify({ join_rule: 'knock' }),
  });
  await service.client(MembershipService, USER).knock({ roomIdOrAlias: roomId });
  return roomId;
}

/** Publishes a deactivation at a time, and waits until it has been handled. */
const publishDeactivation = (timeMs: number) =>
  bus.publish(
    outgoing(
      userDeactivated,
      { userId: USER, erased: false },
      { id: `fact ${timeMs}`, timeMs, aggregate: USER, sequence: 1, traceparent: '', requester: '' },
    ),
  );

/** The memberships of the user by room. */
async function memberships(): Promise<Readonly<Record<string, string>>> {
  const { members } = await collectionsOf(store);
  const found = await members.find({ user_id: USER }).toArray();
  return Object.fromEntries(found.map(({ room_id, membership }) => [room_id, membership]));
}

it('removes the receipts of the user, but for those since a reactivation', async () => {
  isDeactivated = false;
  const service = await start();
  const [early, late] = [await joinedRoom(service), await joinedRoom(service)];
  const read = async (roomId: string, userId: string) => {
    const { events } = await collectionsOf(store);
    const last = await events.findOne({ room_id: roomId }, { sort: { arrival: -1 } });
    const request = { roomId, eventId: last?._id ?? '', receiptType: 'm.read' };
    await service.client(SignalService, userId).sendReceipt(request);
  };
  await read(early, USER);
  await read(early, CREATOR);
  clock.advance(1_000);
  const deactivatedMs = clock.now();
  clock.advance(1_000);
  await read(late, USER);
  await publishDeactivation(deactivatedMs);
  await service.service.whenIdle();
  const left = await (await store.collection(receipts)).find({}).toArray();
  expect(left.map(({ room_id, user_id }) => [room_id, user_id]).toSorted()).toEqual(
    [
      [early, CREATOR],
      [late, USER],
    ].toSorted(),
  );
  expect(service.faults).toEqual([]);
});

it('ends every membership of the user exactly once, at whichever call of the store a process crashes', async () => {
  const crash = fc.record({
    call: fc.integer({ min: 1, max: 90 }),
    how: fc.constantFrom<CrashPoint>('before', 'during', 'after'),
  });
  await fc.assert(
    fc
      .asyncProperty(crash, async ({ call, how }) => {
        const survivor = await start();
        const rooms: string[] = [];
        for (const create of [joinedRoom, joinedRoom, invitedRoom, joinedRoom, knockedRoom]) {
          rooms.push(await create(survivor));
        }
        const crashable = crashableStore(store);
        await start(crashable.store);
        crashable.crashAt(call, how);
        await publishDeactivation(clock.now());
        await survivor.service.whenIdle();

        expect(await memberships()).toEqual(Object.fromEntries(rooms.map((id) => [id, 'leave'])));
        const { events } = await collectionsOf(store);
        for (const roomId of rooms) {
          const { kept, counted } = await recount(store, roomId);
          expect(kept).toEqual(counted);
          const own = { room_id: roomId, sender: USER, type: 'm.room.member', arrival: { $gt: 0 } };
          const sent = await events.find(own, { sort: { arrival: 1 } }).toArray();
          expect(sent.map(({ json }) => JSON.parse(json).content.membership).filter(isLeave)).toEqual([
            'leave',
          ]);
        }
        expect(survivor.faults).toEqual([]);
      })
      .beforeEach(async () => {
        await end();
        await begin();
      }),
    { numRuns: 20 },
  );
});

const isLeave = (membership: string) => membership === 'leave';

it('keeps the memberships of a reactivated user that began after the deactivation, and ends the others', async () => {
  isDeactivated = false;
  const service = await start();
  const [joined, invited] = [await joinedRoom(service), await invitedRoom(service)];
  // A change of the profile does not begin a new membership epoch.
  const renamed = await joinedRoom(service);
  clock.advance(1_000);
  const deactivatedMs = clock.now();
  clock.advance(1_000);
  await service.client(EventService, USER).putState({
    roomId: renamed,
    eventType: 'm.room.member',
    stateKey: USER,
    content: JSON.stringify({ membership: 'join', displayname: 'Other' }),
  });
  const [joinedSince, invitedSince] = [await joinedRoom(service), await invitedRoom(service)];
  await publishDeactivation(deactivatedMs);
  expect(await memberships()).toEqual({
    [joined]: 'leave',
    [invited]: 'leave',
    [renamed]: 'leave',
    [joinedSince]: 'join',
    [invitedSince]: 'invite',
  });
});
