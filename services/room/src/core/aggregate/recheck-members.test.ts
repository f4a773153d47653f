import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { stores } from '@steward/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runScenario, type Scenario } from '../../fixtures/crash-points.ts';
import { collectionsOf, recount } from '../../fixtures/recount.ts';
import type { TestService } from '../../fixtures/test-service.ts';

const CREATOR = '@creator:test';
const USER = '@user:test';
const FRIEND = '@friend:test';

/** Each way asks for the user's profile first, and then whether the user is deactivated. */
const CALLS_AT_RECHECK = 2;

const membersAs = (service: TestService, userId: string) => service.client(MembershipService, userId);
const roomsAs = (service: TestService, userId: string) => service.client(RoomService, userId);

/** How somebody comes into a room. */
const WAYS: Readonly<Record<string, (service: TestService, roomId: string) => Promise<unknown>>> = {
  'a join': (service, roomId) => membersAs(service, USER).joinRoom({ roomId }),
  'an invitation': (service, roomId) => membersAs(service, CREATOR).invite({ roomId, userId: USER }),
  'an invitation with which a room begins': (service) =>
    roomsAs(service, CREATOR).createRoom({ invite: [FRIEND, USER] }),
  'the creation of a room': (service) => roomsAs(service, USER).createRoom({ preset: 'public_chat' }),
  'a request to be let in': async (service) => {
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
    '$way during the deactivation of its user does not last; the process crashes before the recheck: $crashes',
    async ({ way, crashes }) => {
      const { store, drop } = await open();
      onTestFinished(drop);
      let calls = 0;
      let begun = false;
      let goneWhenAnswered = false;
      const isGone = async () => {
        const { members } = await collectionsOf(store);
        const places = await members.find({ user_id: USER }).toArray();
        return places.length === 1 && places[0]?.membership === 'leave';
      };
      const scenario: Scenario<string> = {
        prepare: async (service) =>
          (await roomsAs(service, CREATOR).createRoom({ preset: 'public_chat' })).roomId,
        async begin(service, roomId) {
          // Nobody asks again, so that nobody but the server can mend it.
          if (begun) return;
          begun = true;
          await WAYS[way]?.(service, roomId);
          goneWhenAnswered = await isGone();
        },
        isDeactivated(userId, crash) {
          if (userId !== USER) return false;
          if (++calls === CALLS_AT_RECHECK && crashes) crash();
          return calls >= CALLS_AT_RECHECK;
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
      expect({ crashed, goneWhenAnswered }).toEqual({ crashed: crashes, goneWhenAnswered: !crashes });
    },
  );
});
