import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  GetRoomSummaryRequest,
  GetRoomSummaryResponseSchema,
} from '@steward/proto/steward/room/v1/directory_pb.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { resolveRoom } from '../../core/aliases/resolve-room.ts';
import type { Deps } from '../../core/deps.ts';
import { summaryAccess } from '../../core/visibility/summary-access.ts';
import { directoryReader } from './directory-reader.ts';
import { summariseRoom } from './summarise-room.ts';

/** Returns the summary of a room (client-plane.md 12); a room of which the caller may not learn is answered as unknown. */
export async function getRoomSummary(
  deps: Deps,
  request: GetRoomSummaryRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetRoomSummaryResponseSchema>> {
  const reader = directoryReader(deps, context);
  const room = await loadRoom(deps, await resolveRoom(deps, request.roomIdOrAlias));
  const access = room && (await summaryAccess(deps, room, reader?.userId));
  if (!room || !access?.isGranted) throw refuse.notFound('Room not found');
  return {
    room: await summariseRoom(deps, room),
    ...(reader ? { membership: access.membership } : {}),
  };
}
