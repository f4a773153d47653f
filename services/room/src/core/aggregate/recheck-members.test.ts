import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { NoticeService } from '@steward/proto/steward/room/v1/notices_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { stores } from '@steward/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runScenario, type Scenario } from '../../fixtures/crash-points.ts';
import { collectionsOf, recount } from '../../fixtures/recount.ts';
import type { TestService } from '../../fixtures/test-service.ts';

const CREATOR = '@creator:test';
const USER = '@user:test';
const FRIEND = '@friend:test';

/** Which call to the user service is the recheck: after one for the profile, and, of an invitation, one before it for whether the user sends notices. */
const recheckCall = (way: string) => (way.includes('invitation') ? 3 : 2);

const membersAs = (service: TestService, userId: string) => service.client(MembershipService, userId);
const roomsAs = (service: TestService, userId: string) => service.client(RoomService, userId);

/** The ways in which a user gets a membership. */
const WAYS: Readonly<Record<string, (service: TestService, roomId: string) => Promise<unknown>>> = {
  'a join': (service, roomId) => membersAs(service, USER).joinRoom({ roomId }),
  'an invitation': (service, roomId) => membersAs(service, CREATOR).invite({ roomId, userId: USER }),
  'an initial invitation of a new room': (service) =>
    roomsAs(service, CREATOR).createRoom({ invite: [FRIEND, USER] }),
  'the creation of a room': (service) => roomsAs(service, USER).createRoom({ preset: 'public_chat' }),
  'an automatic join to a room for notices': (service) =>
    service.client(NoticeService, CREATOR).sendNotice({
      roomId: '!notices:test',
      create: true,
      roomName: 'Notices',
      userId: USER,
      sender: CREATOR,
      displayName: 'Server',
      eventType: 'm.room.message',
      content: '{"msgtype":"m.text","body":"x"}',
      transaction: 'x',
      autoJoin: true,
    }),
  'a knock': async (service) => {
    const initialState = [{ type: 'm.room.join_rules', content: { join_rule: 'knock' } }].map((event) =>
      JSON.stringify(event),
    );
    const { roomId } = await roomsAs(service, CREATOR).createRoom({ initialState });
    await membersAs(service, USER).knock({ roomIdOrAlias: roomId });
  },
};

describe.each(stores)('$title', ({ missing, open }) => {
  it.skipIf(missing).each(
    Object.keys(WAYS).flatMap((way) => [
      { way, crashes: false },
      { way, crashes: true },
    ]),
  )(
    'a membership by $way during the deactivation of the user ends; the process crashes before the recheck: $crashes',
    async ({ way, crashes }) => {
      const { store, drop } = await open();
      onTestFinished(drop);
      let calls = 0;
      let begun = false;
      let goneAtResponse = false;
      const isGone = async () => {
        const { members } = await collectionsOf(store);
        const memberships = await members.find({ user_id: USER }).toArray();
        return memberships.length === 1 && memberships[0]?.membership === 'leave';
      };
      const scenario: Scenario<string> = {
        prepare: async (service) =>
          (await roomsAs(service, CREATOR).createRoom({ preset: 'public_chat' })).roomId,
        async begin(service, roomId) {
          // The client does not repeat the request, so that only the server can end the membership.
          if (begun) return;
          begun = true;
          await WAYS[way]?.(service, roomId);
          goneAtResponse = await isGone();
        },
        isDeactivated(userId, crash) {
          if (userId !== USER) return false;
          if (++calls === recheckCall(way) && crashes) crash();
          return calls >= recheckCall(way);
        },
        async expect() {
          expect(await isGone()).toBe(true);
          const { rooms } = await collectionsOf(store);
          for (const { _id } of await rooms.find({}).toArray()) {
            const { kept, counted } = await recount(store, _id);
            expect(kept).toEqual(counted);
          }
        },
      };
      const crashed = await runScenario(store, scenario, Number.POSITIVE_INFINITY, 'before');
      expect({ crashed, goneAtResponse }).toEqual({ crashed: crashes, goneAtResponse: !crashes });
    },
  );
});
