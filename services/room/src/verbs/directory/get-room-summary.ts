import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  GetRoomSummaryRequest,
  GetRoomSummaryResponseSchema,
} from '@steward/proto/steward/room/v1/directory_pb.ts';
import { requester } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { resolveRoom } from '../../core/aliases/resolve-room.ts';
import type { Deps } from '../../core/deps.ts';
import { summaryAccess } from '../../core/visibility/summary-access.ts';
import { summariseRoom } from './summarise-room.ts';

/** Returns the summary of a room (client-plane.md 12); a room of which the caller may not learn is answered as unknown. */
export async function getRoomSummary(
  deps: Deps,
  request: GetRoomSummaryRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetRoomSummaryResponseSchema>> {
  const room = await loadRoom(deps, await resolveRoom(deps, request.roomIdOrAlias));
  const access = room && (await summaryAccess(deps, room, requester(context).userId));
  if (!room || !access?.isGranted) throw refuse.notFound('Room not found');
  return { room: summariseRoom(room), membership: access.membership };
}
