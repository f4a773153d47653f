import { type Planner, planner } from '@steward/plans';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import type { Deps } from './core/deps.ts';
import { planPutBlock } from './verbs/blocks/put-block.ts';
import { planBeginRoomDeletion } from './verbs/deletion/begin-room-deletion.ts';
import { planDeleteRoom } from './verbs/deletion/delete-room.ts';

/** What plans the calls of the service's methods. */
export function planners(deps: Deps): readonly Planner[] {
  return [
    planner(RoomAdminService.method.putBlock, (request, context) => planPutBlock(deps, request, context)),
    planner(RoomDeletionService.method.deleteRoom, (request, context) =>
      planDeleteRoom(deps, request, context),
    ),
    planner(RoomDeletionService.method.beginRoomDeletion, (request, context) =>
      planBeginRoomDeletion(deps, request, context),
    ),
  ];
}
