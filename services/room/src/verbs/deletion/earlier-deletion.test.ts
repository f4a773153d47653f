import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { expect, it } from 'vitest';
import { tasks } from '../../core/collections.ts';
import { DELETE_ROOM } from '../../core/deletion/deletion.ts';
import { aliases } from '../../core/model/alias.ts';
import { events } from '../../core/model/event-document.ts';
import { oneService } from '../../fixtures/one-service.ts';
import { ADMIN } from '../../fixtures/test-service.ts';
import { readDeletion } from './deletion.ts';

const USER = '@user:test';
const ALIAS = '#old:test';

// An earlier release kept one cursor through all steps.
it.each([
  ['greeting', { part: 1 }, [ALIAS]],
  ['aliases', { part: 1 }, [ALIAS]],
  ['aliases', { part: 1, batch: [ALIAS] }, [ALIAS]],
  ['purging', { part: 2, pass: 3, after: 'a', batch: [USER] }, []],
  ['purging', { from: 1, media: ['mxc://test/m'] }, []],
])(
  'completes a deletion that an earlier release left in the step %s with %o',
  async (step, cursor, moved) => {
    const { store, service } = await oneService();
    const rooms = service.client(RoomService, USER);
    const { roomId } = await rooms.createRoom({ preset: 'public_chat', roomAliasName: 'old' });
    const { roomId: newRoomId } = await rooms.createRoom({ preset: 'public_chat' });
    await service.client(MembershipService, USER).leave({ roomId });
    const params = readDeletion({ roomId, newRoomUserId: USER } as never, 2);
    const part = { task: 'left', number: 0, value: JSON.stringify({ kicked: [USER] }) };
    await (await store.collection(tasks.parts)).insertOne({ _id: 'left 0', ...part });
    await (await store.collection(tasks.tasks)).insertOne({
      ...{ _id: 'left', kind: DELETE_ROOM, key: roomId, params: JSON.stringify(params), requested_by: ADMIN },
      ...{ state: 'scheduled', step, cursor: JSON.stringify(cursor), result: JSON.stringify({ newRoomId }) },
      ...{ owner: '', done: 1, total: 0, attempt: 0, token: 0, due: 0, created_ts: 0, order: 0 },
    });
    await service.service.whenIdle();

    const deletion = await service.client(RoomDeletionService, ADMIN).getRoomDeletion({ deleteId: 'left' });
    const shutdownRoom = { kickedUsers: [USER], localAliases: moved, newRoomId };
    expect(deletion).toMatchObject({ status: 'complete', shutdownRoom });
    expect(await (await store.collection(events)).countDocuments({ room_id: roomId })).toBe(0);
    const alias = await (await store.collection(aliases)).findOne({ _id: ALIAS });
    expect(alias?.room_id).toBe(moved.length > 0 ? newRoomId : undefined);
  },
);
