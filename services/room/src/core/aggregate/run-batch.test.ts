import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { MAX_OWED } from '@steward/store';
import { expect, it } from 'vitest';
import { oneService } from '../../fixtures/one-service.ts';
import { collectionsOf } from '../../fixtures/recount.ts';
import type { LookOwed } from '../model/pending-effects.ts';

const CREATOR = '@creator:test';

it('what a room has no place to owe waits until newcomers have been looked at', async () => {
  const { store, service } = await oneService();
  const { roomId } = await service.client(RoomService, CREATOR).createRoom({});
  const { rooms } = await collectionsOf(store);
  const looks = Array.from({ length: MAX_OWED }, (_, n): LookOwed => {
    return { id: `look ${n}`, kind: 'newcomers', from: 2, to: 2 };
  });
  await rooms.updateOne({ _id: roomId }, { $set: { pending: looks } });

  const request = { roomId, eventType: 'm.x', stateKey: '', content: '{}' };
  const sending = service.client(EventService, CREATOR).putState(request);
  expect(await Promise.race([sending, rooms.findOne({ _id: roomId })])).toHaveProperty('pending', looks);
  await rooms.updateOne({ _id: roomId }, { $set: { pending: [] } });
  expect((await sending).eventId).toMatch(/^\$/);
});
