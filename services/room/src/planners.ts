import { type Planner, planner } from '@steward/plans';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { HistoryPurgeService } from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomOrderService } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { UserRedactionService } from '@steward/proto/steward/room/v1/user_redaction_pb.ts';
import type { Deps } from './core/deps.ts';
import { planPutBlock } from './verbs/blocks/put-block.ts';
import { planBeginRoomDeletion } from './verbs/deletion/begin-room-deletion.ts';
import { planDeleteRoom } from './verbs/deletion/delete-room.ts';
import { planBanUser } from './verbs/orders/ban-user.ts';
import { planKickUser } from './verbs/orders/kick-user.ts';
import { planRedactEvent } from './verbs/orders/redact-event.ts';
import { planPurgeHistory } from './verbs/purge/purge-history.ts';
import { planPurgeHistoryUpToEvent } from './verbs/purge/purge-history-up-to-event.ts';
import { planDeleteForwardExtremities } from './verbs/rooms/delete-forward-extremities.ts';
import { planRedactUser } from './verbs/user-redaction/redact-user.ts';

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
    planner(RoomAdminService.method.deleteForwardExtremities, (request) =>
      planDeleteForwardExtremities(deps, request),
    ),
    planner(HistoryPurgeService.method.purgeHistory, (request, context) =>
      planPurgeHistory(deps, request, context),
    ),
    planner(HistoryPurgeService.method.purgeHistoryUpToEvent, (request) =>
      planPurgeHistoryUpToEvent(deps, request),
    ),
    planner(UserRedactionService.method.redactUser, (request, context) =>
      planRedactUser(deps, request, context),
    ),
    planner(RoomOrderService.method.redactEvent, (request, context) =>
      planRedactEvent(deps, request, context),
    ),
    planner(RoomOrderService.method.kickUser, (request, context) => planKickUser(deps, request, context)),
    planner(RoomOrderService.method.banUser, (request, context) => planBanUser(deps, request, context)),
  ];
}
