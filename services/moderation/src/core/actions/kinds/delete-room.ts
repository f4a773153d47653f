import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { RoomOrder } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import type { ActionDetails } from '../action.ts';
import { type ActionKind, call } from '../define-action.ts';
import { onRoom } from '../dispatch.ts';

/** Deletes a room. */
export const deleteRoom: ActionKind = {
  needs: ['room_id'],
  may: ['block', 'purge', 'force_purge', 'new_room_user_id', 'room_name', 'message'],
  // The sender of notices speaks, also in the room to which members are moved, for who may send notices.
  scopes: ({ new_room_user_id: creator }, sender) => (creator === sender ? [Scope.NOTICES_SEND] : []),
  calls({ room_id: roomId = '', ...details }) {
    const request = { roomId, ...deletionOf(details) };
    return [
      call(RoomDeletionService.method.beginRoomDeletion, request, ({ taskIds: [deleteId = ''] }) => ({
        deleteId,
      })),
    ];
  },
  carryOut: (deps, details, given) => onRoom(deps, RoomOrder.DELETE, details, given, deletionOf(details)),
};

/** The options of a deletion that are stated. */
function deletionOf(details: ActionDetails) {
  const { block, purge, force_purge: forcePurge, new_room_user_id: newRoomUserId } = details;
  const { room_name: roomName, message } = details;
  return {
    ...(block === undefined ? {} : { block }),
    ...(purge === undefined ? {} : { purge }),
    ...(forcePurge === undefined ? {} : { forcePurge }),
    ...(newRoomUserId === undefined ? {} : { newRoomUserId }),
    ...(roomName === undefined ? {} : { roomName }),
    ...(message === undefined ? {} : { message }),
  };
}
