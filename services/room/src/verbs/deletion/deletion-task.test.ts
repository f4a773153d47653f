import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import type { Store } from '@steward/store';
import { type CrashPoint, stores } from '@steward/store/testing';
import { dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aliases } from '../../core/model/alias.ts';
import { runScenario, type Scenario } from '../../fixtures/crash-points.ts';
import { collectionsOf, recount } from '../../fixtures/recount.ts';
import { ADMIN, type TestService } from '../../fixtures/test-service.ts';

/** What it proves. */
const GUARDS = ['packages/tasks/', 'services/room/src/core/aggregate/', 'services/room/src/verbs/deletion/'];

const CREATOR = '@creator:test';
const ALIAS = '#alias:test';
const INVITED = '@invited:test';
const KNOCKING = '@knocking:test';

/** More calls of the store than the deletion makes. */
const MAX_CALLS = 137;

const deletions = (service: TestService) => service.client(RoomDeletionService, ADMIN);

/** Creates a room with members, an invited user and one who knocks. */
async function createRoom(service: TestService, users: readonly string[]): Promise<string> {
  const [first = '', ...others] = users;
  const rooms = service.client(RoomService, first);
  const { roomId } = await rooms.createRoom({ preset: 'public_chat', roomAliasName: 'alias' });
  await Promise.all(others.map((userId) => service.client(MembershipService, userId).joinRoom({ roomId })));
  const content = '{"msgtype":"m.image","body":"x","url":"mxc://test/m"}';
  const events = service.client(EventService, first);
  await events.sendEvent({ roomId, eventType: 'm.room.message', txnId: 'x', content });
  await service.client(MembershipService, first).invite({ roomId, userId: INVITED });
  const rule = { roomId, eventType: 'm.room.join_rules', stateKey: '', content: '{"join_rule":"knock"}' };
  await service.client(EventService, first).putState(rule);
  await service.client(MembershipService, KNOCKING).knock({ roomIdOrAlias: roomId });
  return roomId;
}

/** The deletion of a room whose members are moved to a new one; the users who are not joined are not moved. */
function deletionOf(store: Store, users: readonly string[]): Scenario<string> {
  return {
    prepare: (service) => createRoom(service, users),
    begin: (service, roomId) =>
      deletions(service).beginRoomDeletion({ roomId, block: true, newRoomUserId: CREATOR }),
    async expect(service, roomId, changedMedia) {
      expect(changedMedia).toContain('mxc://test/m');
      const { rooms, events, states, members } = await collectionsOf(store);
      const aliasesOf = await store.collection(aliases);
      for (const collection of [events, states, members, aliasesOf]) {
        expect(await collection.countDocuments({ room_id: roomId } as never)).toBe(0);
      }
      const { results } = await deletions(service).listRoomDeletions({ roomId });
      expect(results).toMatchObject([{ status: 'complete' }]);
      const outcome = results[0]?.shutdownRoom;
      expect(outcome?.kickedUsers.toSorted()).toEqual([...users, INVITED, KNOCKING].sort());
      expect(outcome).toMatchObject({ failedToKickUsers: [], localAliases: [ALIAS] });
      const newRoomId = outcome?.newRoomId ?? '';
      const left = await rooms.find({}).toArray();
      expect(left).toMatchObject([{ _id: newRoomId, joined_members: users.length + 1 }]);
      expect(await aliasesOf.findOne({ _id: ALIAS })).toMatchObject({ room_id: newRoomId, creator: ADMIN });
      const messages = { room_id: newRoomId, type: 'm.room.message', arrival: { $gt: 0 } };
      expect(await events.countDocuments(messages)).toBe(1);
      const { kept, counted } = await recount(store, newRoomId);
      expect(kept).toEqual(counted);
    },
  };
}

describe.each(stores)('$title', ({ missing, remote, open }) => {
  const deleteRoomOf = async (users: readonly string[], call: number, how: CrashPoint) => {
    const { store, drop } = await open();
    try {
      return await runScenario(store, deletionOf(store, users), call, how);
    } finally {
      await drop();
    }
  };

  it.skipIf(missing)(
    'a deletion is completed exactly once, at whichever call of the store a process crashes',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: MAX_CALLS }),
          fc.constantFrom<CrashPoint>('before', 'during', 'after'),
          async (call, how) => void (await deleteRoomOf(['@a:test', '@b:test', '@c:test'], call, how)),
        ),
        { numRuns: dueRuns(remote ? 6 : 40, 'crashes of a deletion', GUARDS) },
      );
    },
  );

  it.skipIf(missing)('a room with a joined user is removed only with force', async () => {
    const { store, drop } = await open();
    const scenario: Scenario<string> = {
      prepare: (service) => createRoom(service, ['@a:test']),
      async begin(_, roomId) {
        // As if a user had joined during the deletion.
        const { rooms } = await collectionsOf(store);
        await rooms.updateOne({ _id: roomId }, { $inc: { joined_local_members: 1, version: 1 } });
      },
      async expect(service, roomId) {
        const { rooms } = await collectionsOf(store);
        const refused = deletions(service).deleteRoom({ roomId });
        await expect(refused).rejects.toThrow(/still joined/);
        await deletions(service).beginRoomDeletion({ roomId });
        await service.service.whenIdle();
        const { results } = await deletions(service).listRoomDeletions({ roomId });
        expect(results).toMatchObject([{ status: 'failed', error: expect.any(String) }]);
        expect(await rooms.findOne({ _id: roomId })).not.toBeNull();
        await deletions(service).deleteRoom({ roomId, forcePurge: true });
        expect(await rooms.findOne({ _id: roomId })).toBeNull();
      },
    };
    await runScenario(store, scenario, Number.POSITIVE_INFINITY, 'before');
    await drop();
  });

  it.skipIf(missing)('users who accept invitations during a deletion leave as well', async () => {
    const { store, drop } = await open();
    const users = Array.from({ length: 64 }, (_, index) => `@user${index}:test`);
    const scenario: Scenario<string> = {
      async prepare(service) {
        const { roomId } = await service.client(RoomService, CREATOR).createRoom({ preset: 'private_chat' });
        const membership = service.client(MembershipService, CREATOR);
        await Promise.all(users.map((userId) => membership.invite({ roomId, userId })));
        return roomId;
      },
      async begin(service, roomId) {
        const accept = (userId: string) => service.client(MembershipService, userId).joinRoom({ roomId });
        await deletions(service).beginRoomDeletion({ roomId });
        // One after the other, so that some are accepted after the members have left. The others are refused.
        for (const userId of users) await accept(userId).catch(() => {});
      },
      async expect(service, roomId) {
        const { results } = await deletions(service).listRoomDeletions({ roomId });
        expect(results).toMatchObject([{ status: 'complete', shutdownRoom: { failedToKickUsers: [] } }]);
        expect(results[0]?.shutdownRoom?.kickedUsers.toSorted()).toEqual([CREATOR, ...users].sort());
      },
    };
    await runScenario(store, scenario, Number.POSITIVE_INFINITY, 'before');
    await drop();
  });

  it.skipIf(missing || remote)('members leave in several batches', { timeout: 240_000 }, async () => {
    const users = Array.from({ length: 70 }, (_, index) => `@user${index}:test`);
    expect(await deleteRoomOf(users, Number.POSITIVE_INFINITY, 'before')).toBe(false);
  });
});
