import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { oneService } from '../../fixtures/one-service.ts';
import { ADMIN } from '../../fixtures/test-service.ts';

const CREATOR = '@creator:test';
const MEMBERS = ['@a:test', '@b:test', '@c:test'] as const;

/** A room, and a user service with devices whose revision is known unless it is shared. */
async function roomWithDevices(isShared: boolean) {
  const stored = new Map<string, number>([[CREATOR, 1]]);
  const counted: number[] = [];
  let revision = 0n;
  const { service } = await oneService({
    countDevices: async ({ userIds }) => {
      counted.push(userIds.length);
      const devices = userIds.reduce((sum, userId) => sum + (stored.get(userId) ?? 0), 0);
      return { devices: BigInt(devices), ...(isShared ? {} : { revision }) };
    },
  });
  const { roomId } = await service.client(RoomService, CREATOR).createRoom({ preset: 'public_chat' });
  return {
    service,
    roomId,
    /** The number of devices that the details show, and the users whom each call for it named. */
    async shown() {
      counted.length = 0;
      const { joinedLocalDevices } = await service.client(RoomAdminService, ADMIN).getRoom({ roomId });
      return { devices: Number(joinedLocalDevices), counted: [...counted] };
    },
    setDevices(userId: string, devices: number) {
      stored.set(userId, devices);
      revision++;
    },
    expected: (joined: ReadonlySet<string>) =>
      [CREATOR, ...joined].reduce((sum, userId) => sum + (stored.get(userId) ?? 0), 0),
  };
}

it('counts the devices of the members again only after one was added or removed, or a member changed', async () => {
  const { service, roomId, shown, setDevices } = await roomWithDevices(false);
  const [member] = MEMBERS;
  const send = (txnId: string) =>
    service.client(EventService, CREATOR).sendEvent({ roomId, eventType: 'm.x', txnId, content: '{}' });
  expect(await shown()).toEqual({ devices: 1, counted: [1] });
  await send('1');
  expect(await shown()).toEqual({ devices: 1, counted: [0] });
  await service.client(MembershipService, member).joinRoom({ roomId });
  expect(await shown()).toEqual({ devices: 1, counted: [2] });
  setDevices(member, 2);
  expect(await shown()).toEqual({ devices: 3, counted: [0, 2] });
  await send('2');
  expect(await shown()).toEqual({ devices: 3, counted: [0] });
});

it('counts the devices at each request where their revision is not known', async () => {
  const { shown, setDevices } = await roomWithDevices(true);
  expect(await shown()).toEqual({ devices: 1, counted: [1] });
  setDevices(CREATOR, 4);
  expect(await shown()).toEqual({ devices: 4, counted: [1] });
});

it('shows the exact number of devices after any changes', async () => {
  const member = fc.constantFrom(...MEMBERS);
  const change = fc.oneof(
    fc.record({ member, devices: fc.nat(3) }),
    fc.record({ member, isJoined: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      const { service, roomId, shown, setDevices, expected } = await roomWithDevices(false);
      const joined = new Set<string>();
      for (const made of changes) {
        if ('devices' in made) setDevices(made.member, made.devices);
        else if (made.isJoined) {
          await service.client(MembershipService, made.member).joinRoom({ roomId });
          joined.add(made.member);
        } else if (joined.delete(made.member)) {
          await service.client(MembershipService, made.member).leave({ roomId });
        }
        expect((await shown()).devices).toBe(expected(joined));
      }
    }),
    { numRuns: 10 },
  );
});
