import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { UserRedactionService } from '@steward/proto/steward/room/v1/user_redaction_pb.ts';
import { expect, it } from 'vitest';
import { tasks } from '../../core/collections.ts';
import { REDACT_USER, type UserRedactionParams } from '../../core/user-redaction/user-redaction.ts';
import { oneService } from '../../fixtures/one-service.ts';
import { ADMIN } from '../../fixtures/test-service.ts';

const USER = '@user:test';

it('a task that was interrupted reports the failures before and after the interruption', async () => {
  const { store, service } = await oneService();
  const { roomId } = await service.client(RoomService, USER).createRoom({});
  const message = {
    roomId,
    eventType: 'm.room.message',
    txnId: 't',
    content: '{"msgtype":"m.text","body":"Hello"}',
  };
  const { eventId } = await service.client(EventService, USER).sendEvent(message);

  // As if the process had crashed after it saved a batch.
  const params: UserRedactionParams = {
    ...{ rooms: [roomId], reason: null, limit: 10, beforeMs: null, afterMs: null },
    // A sender who is not in the room cannot redact.
    sender: ADMIN,
  };
  const parts = await store.collection(tasks.parts);
  await parts.insertOne({ _id: 'id 1', task: 'id', number: 1, value: '{"$before":"No"}' });
  await (await store.collection(tasks.tasks)).insertOne({
    ...{ _id: 'id', kind: REDACT_USER, key: USER, params: JSON.stringify(params), requested_by: ADMIN },
    ...{ state: 'scheduled', step: '', cursor: 'null', result: 'null', owner: '' },
    ...{ done: 1, total: 0, attempt: 0, token: 0, due: 0, created_ts: 0, order: 0 },
  });
  await service.service.whenIdle();

  const redactions = service.client(UserRedactionService, ADMIN);
  const { status, failedRedactions = '' } = await redactions.getUserRedaction({ redactId: 'id' });
  expect(status).toBe('complete');
  expect(JSON.parse(failedRedactions)).toMatchObject({ $before: 'No', [eventId]: expect.any(String) });
});
