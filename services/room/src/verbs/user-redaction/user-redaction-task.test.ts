import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomOrderService } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { UserRedactionService } from '@steward/proto/steward/room/v1/user_redaction_pb.ts';
import { TaskOwnerService } from '@steward/proto/steward/task/v1/tasks_pb.ts';
import { describe, expect, it } from 'vitest';
import { tasks } from '../../core/collections.ts';
import { events } from '../../core/model/event-document.ts';
import { rooms } from '../../core/model/room.ts';
import { REDACT_USER, type UserRedactionParams } from '../../core/user-redaction/user-redaction.ts';
import { oneService } from '../../fixtures/one-service.ts';
import { ADMIN } from '../../fixtures/test-service.ts';

const USER = '@user:test';
const OWNER = '@owner:test';
const HELLO = '{"msgtype":"m.text","body":"Hello"}';

async function start() {
  const { store, service } = await oneService();
  const membership = (userId: string) => service.client(MembershipService, userId);
  /** Creates a room of the owner, in which the user has said something. */
  const create = async (levels: object = {}) => {
    const powerLevelContentOverride = JSON.stringify(levels);
    const request = { preset: 'public_chat', powerLevelContentOverride };
    const { roomId } = await service.client(RoomService, OWNER).createRoom(request);
    await membership(USER).joinRoom({ roomId });
    const message = { roomId, eventType: 'm.room.message', txnId: roomId, content: HELLO };
    const { eventId } = await service.client(EventService, USER).sendEvent(message);
    return { roomId, eventId };
  };
  const stored = await store.collection(events);
  /** The sender of the redaction of an event, and who ordered it; undefined if it is not redacted. */
  const redactionOf = async (eventId: string) => {
    const redacts = await stored.findOne({ redacts: eventId, arrival: { $gte: 1 } });
    const target = await stored.findOne({ _id: eventId });
    if (!redacts || target?.redacted_by !== redacts._id) return undefined;
    return { sender: redacts.sender, by: redacts.ordered_by };
  };
  const redactions = service.client(UserRedactionService, ADMIN);
  const redact = async (request: object = {}) => {
    const { redactId } = await redactions.redactUser({ userId: USER, rooms: [], ...request });
    await service.service.whenIdle();
    const { status, failedRedactions = '', error } = await redactions.getUserRedaction({ redactId });
    return { redactId, status, error, failed: JSON.parse(failedRedactions) };
  };
  return { store, service, membership, create, redactionOf, redactions, redact };
}

type Started = Awaited<ReturnType<typeof start>>;
const putState = ({ service }: Started, roomId: string, eventType: string, content: object) =>
  service
    .client(EventService, OWNER)
    .putState({ roomId, eventType, stateKey: '', content: JSON.stringify(content) });

describe('a redaction in the name of the user', () => {
  it.each([
    ['was banned', ({ membership }, roomId) => membership(OWNER).ban({ roomId, userId: USER })],
    ['was kicked', ({ membership }, roomId) => membership(OWNER).kick({ roomId, userId: USER })],
    ['has left', ({ membership }, roomId) => membership(USER).leave({ roomId })],
    [
      'has left and forgotten the room',
      async ({ membership }, roomId) => {
        await membership(USER).leave({ roomId });
        await membership(USER).forget({ roomId });
      },
    ],
    [
      'was muted',
      (started, roomId) =>
        putState(started, roomId, 'm.room.power_levels', { users: { [OWNER]: 100, [USER]: -1 } }),
    ],
    [
      'may only read',
      (started, roomId) =>
        putState(started, roomId, 'm.room.power_levels', { users: { [OWNER]: 100 }, events_default: 100 }),
    ],
    [
      'is in a room that was replaced',
      ({ service }, roomId) => service.client(RoomService, OWNER).upgradeRoom({ roomId, newVersion: '11' }),
    ],
    [
      'is in a room that everybody has left',
      async ({ membership }, roomId) => {
        for (const userId of [OWNER, USER]) await membership(userId).leave({ roomId });
      },
    ],
  ] as [string, (started: Started, roomId: string) => Promise<unknown>][])(
    'is made as it was allowed when they wrote, if the user %s',
    async (_, before) => {
      const started = await start();
      const { create, redact, redactionOf } = started;
      const { roomId, eventId } = await create();
      await before(started, roomId);
      expect(await redact()).toMatchObject({ status: 'complete', failed: {} });
      expect(await redactionOf(eventId)).toEqual({ sender: USER, by: ADMIN });
    },
  );

  it('falls to a local member with power if they could not redact when they wrote', async () => {
    const { membership, create, redact, redactionOf } = await start();
    const levels = { users: { [OWNER]: 100 }, events: { 'm.room.redaction': 50 } };
    const [first, second] = [await create(levels), await create(levels)];
    // Where nobody is left who may, the server redacts on its own authority.
    await membership(OWNER).leave({ roomId: second.roomId });
    expect(await redact()).toMatchObject({ status: 'complete', failed: {} });
    expect(await redactionOf(first.eventId)).toEqual({ sender: OWNER, by: ADMIN });
    expect(await redactionOf(second.eventId)).toEqual({ sender: USER, by: ADMIN });
  });

  it('falls to a local member with power if the administrator who is to be the sender is not there', async () => {
    const { membership, create, redact, redactionOf } = await start();
    const [outside, inside] = [await create(), await create()];
    await membership(ADMIN).joinRoom({ roomId: inside.roomId });
    expect(await redact({ useAdmin: true })).toMatchObject({ status: 'complete', failed: {} });
    for (const { eventId } of [outside, inside])
      expect(await redactionOf(eventId)).toEqual({ sender: OWNER, by: ADMIN });
  });
});

it('a single event is redacted where no member may, too', async () => {
  const { service, membership, create, redactionOf } = await start();
  const { roomId, eventId } = await create();
  for (const userId of [OWNER, USER]) await membership(userId).leave({ roomId });
  const redacted = await service.client(RoomOrderService, ADMIN).redactEvent({ roomId, eventId });
  expect(redacted).toMatchObject({ sender: USER, changed: true });
  expect(await redactionOf(eventId)).toEqual({ sender: USER, by: ADMIN });
});

it('a redaction of which a part fails has failed, and says which', async () => {
  const { store, service, create, redact, redactionOf } = await start();
  const [strange, usual] = [await create(), await create()];
  const version = { $set: { room_version: 'strange' }, $inc: { version: 1 } };
  await (await store.collection(rooms)).updateOne({ _id: strange.roomId }, version);
  const { redactId, ...ended } = await redact();
  expect(ended).toMatchObject({ status: 'failed', error: '2 events could not be redacted' });
  expect(Object.keys(ended.failed)).toContain(strange.eventId);
  expect(await redactionOf(usual.eventId)).toEqual({ sender: USER, by: ADMIN });
  const { task } = await service.client(TaskOwnerService, ADMIN).findTask({ taskId: redactId });
  expect(task).toMatchObject({ state: 'failed', result: '{"redacted":2,"failed":2}' });
});

it('a redaction with a reason that no event can hold is refused before it begins', async () => {
  const { redactions } = await start();
  // Each character is six bytes of JSON.
  const redact = (length: number) =>
    redactions.redactUser({ userId: USER, rooms: [], reason: '\u0001'.repeat(length) });
  await expect(redact(10_900)).rejects.toThrow("'reason' has at most 57344 bytes");
  await redact(9_000);
});

it('a task that was interrupted reports the failures before and after the interruption', async () => {
  const { store, service, create, redactions } = await start();
  const { roomId, eventId } = await create();
  const version = { $set: { room_version: 'strange' }, $inc: { version: 1 } };
  await (await store.collection(rooms)).updateOne({ _id: roomId }, version);

  // As if the process had crashed after it saved a batch.
  const params: UserRedactionParams = {
    ...{ rooms: [roomId], reason: null, limit: 10, beforeMs: null, afterMs: null, sender: USER },
  };
  const parts = await store.collection(tasks.parts);
  await parts.insertOne({ _id: 'id 1', task: 'id', number: 1, value: '{"$before":"No"}' });
  await (await store.collection(tasks.tasks)).insertOne({
    ...{ _id: 'id', kind: REDACT_USER, key: USER, params: JSON.stringify(params), requested_by: ADMIN },
    ...{ state: 'scheduled', step: '', cursor: 'null', result: 'null', owner: '' },
    ...{ done: 1, total: 0, attempt: 0, token: 0, due: 0, created_ts: 0, order: 0 },
  });
  await service.service.whenIdle();

  const { status, failedRedactions = '' } = await redactions.getUserRedaction({ redactId: 'id' });
  expect(status).toBe('failed');
  expect(JSON.parse(failedRedactions)).toMatchObject({ $before: 'No', [eventId]: expect.any(String) });
});
