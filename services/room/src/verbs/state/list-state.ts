import type { HandlerContext } from '@connectrpc/connect';
import type { ListStateRequest } from '@steward/proto/steward/room/v1/events_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { toClientEvents } from '../../core/reading/client-events.ts';
import { stateAt } from '../../core/reading/state-at.ts';
import { readAccess } from '../../core/visibility/read-access.ts';
import { clientOptionsOf } from '../../core/visibility/visible-events.ts';

/** Lists the state of a room (client-plane.md 7.10). */
export async function listState(deps: Deps, request: ListStateRequest, context: HandlerContext) {
  const caller = requester(context);
  const access = await readAccess(deps, request.roomId, caller.userId);
  const options = clientOptionsOf(deps, access, caller);
  const events: string[] = [];
  for await (const page of stateAt(deps, access)) {
    events.push(...(await toClientEvents(deps, page, options)));
  }
  return { events };
}
