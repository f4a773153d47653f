import type { HandlerContext } from '@connectrpc/connect';
import type { InitialSyncRequest } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { NO_MEMBERSHIP } from '../../core/model/member.ts';
import { endOf, formatPosition } from '../../core/model/position.ts';
import { NO_FILTER } from '../../core/protocol/mod.ts';
import { toClientEvents } from '../../core/reading/client-events.ts';
import { stateAt } from '../../core/reading/state-at.ts';
import { refuseBlocked } from '../../core/refusals/refuse-blocked.ts';
import { pageSize } from '../../core/timeline/page-size.ts';
import { readSelected } from '../../core/timeline/read-page.ts';
import { readAccess } from '../../core/visibility/read-access.ts';
import { selectVisible } from '../../core/visibility/select-events.ts';
import { showEvents } from '../../core/visibility/show-events.ts';
import { clientOptionsOf } from '../../core/visibility/visible-events.ts';

/** Returns the state and the newest messages of a room, also to users who peek into it (client-plane.md 7.10). */
export async function initialSync(deps: Deps, request: InitialSyncRequest, context: HandlerContext) {
  const caller = requester(context);
  await refuseBlocked(deps, request.roomId);
  const access = await readAccess(deps, request.roomId, caller.userId);
  const { room, roomId, arrival, member } = access;
  const newest = endOf(room);
  const page = await readSelected(
    deps,
    {
      roomId,
      direction: 'b',
      from: newest,
      limit: pageSize(request.limit),
      until: arrival,
      horizon: room.horizon,
    },
    selectVisible(deps, access, caller, NO_FILTER),
  );
  const options = clientOptionsOf(deps, access, caller);
  const state: string[] = [];
  for await (const events of stateAt(deps, access)) {
    state.push(...(await toClientEvents(deps, events, options)));
  }
  const isMember = member !== undefined && member.membership !== NO_MEMBERSHIP;
  return {
    roomId,
    ...(isMember ? { membership: member.membership } : {}),
    messages: {
      chunk: await showEvents(deps, page.events.toReversed(), options),
      start: formatPosition(page.end ?? newest),
      end: formatPosition(newest),
    },
    state,
    visibility: room.public ? 'public' : 'private',
  };
}
