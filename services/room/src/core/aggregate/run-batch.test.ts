import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { MAX_PENDING_EFFECTS } from '@steward/service';
import { expect, it } from 'vitest';
import { oneService } from '../../fixtures/one-service.ts';
import { collectionsOf } from '../../fixtures/recount.ts';
import type { RecheckOfMembers } from '../model/pending-effects.ts';

const CREATOR = '@creator:test';

it('a commit waits for rechecks of members if too many effects are pending', async () => {
  const { store, service } = await oneService();
  const { roomId } = await service.client(RoomService, CREATOR).createRoom({});
  const { rooms } = await collectionsOf(store);
  const rechecks = Array.from({ length: MAX_PENDING_EFFECTS }, (_, n): RecheckOfMembers => {
    return { id: `recheck ${n}`, kind: 'newcomers', from: 2, to: 2 };
  });
  await rooms.updateOne({ _id: roomId }, { $set: { pending: rechecks } });

  const request = { roomId, eventType: 'm.x', stateKey: '', content: '{}' };
  const sending = service.client(EventService, CREATOR).putState(request);
  expect(await Promise.race([sending, rooms.findOne({ _id: roomId })])).toHaveProperty('pending', rechecks);
  await rooms.updateOne({ _id: roomId }, { $set: { pending: [] } });
  expect((await sending).eventId).toMatch(/^\$/);
});
