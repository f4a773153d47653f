import type { HandlerContext } from '@connectrpc/connect';
import type { InitialSyncRequest } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { NO_MEMBERSHIP } from '../members/member.ts';
import { NO_FILTER } from '../protocol/mod.ts';
import { readAccess } from '../rooms/access.ts';
import { refuseBlocked } from '../rooms/refuse-blocked.ts';
import { stateAt } from '../state/state-at.ts';
import { toClientEvents } from './client-events.ts';
import { pageSize } from './page-size.ts';
import { endOf, formatPosition } from './position.ts';
import { readSelected } from './read-page.ts';
import { selectVisible } from './select-events.ts';
import { sessionOf } from './transaction.ts';
import { showEvents } from './visible-events.ts';

/** A room at a glance, also for those who only look into it (client-plane.md 7.10). */
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
  const state: string[] = [];
  for await (const events of stateAt(deps, access)) {
    state.push(...(await toClientEvents(deps, events, { session: sessionOf(caller) })));
  }
  const isMember = member !== undefined && member.membership !== NO_MEMBERSHIP;
  return {
    roomId,
    ...(isMember ? { membership: member.membership } : {}),
    messages: {
      chunk: await showEvents(deps, page.events.toReversed(), caller),
      start: formatPosition(page.end ?? newest),
      end: formatPosition(newest),
    },
    state,
    visibility: room.public ? 'public' : 'private',
  };
}
