import type { HandlerContext } from '@connectrpc/connect';
import type { GetContextRequest } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { NO_FILTER, readEventFilter } from '../../core/protocol/mod.ts';
import { pageSize } from '../../core/timeline/page-size.ts';
import { aroundEvenly, readAround } from '../../core/timeline/read-around.ts';
import { stateAround } from '../../core/timeline/state-around.ts';
import { existingEvent } from '../../core/visibility/existing-event.ts';
import { selectVisible } from '../../core/visibility/select-events.ts';
import { showEvents } from '../../core/visibility/show-events.ts';
import { clientOptionsOf } from '../../core/visibility/visible-events.ts';

/** Returns an event, the events around it, and the state after the last of them (client-plane.md 7.10). */
export async function getContext(deps: Deps, request: GetContextRequest, context: HandlerContext) {
  const caller = requester(context);
  const filter = request.filter === undefined ? NO_FILTER : readEventFilter(request.filter);
  const { access, found } = await existingEvent(deps, request.roomId, request.eventId, caller.userId);
  const { earlier, later, ...tokens } = await readAround(
    deps,
    {
      document: found.document,
      limits: aroundEvenly(pageSize(request.limit)),
      until: access.arrival,
      horizon: access.room.horizon,
    },
    selectVisible(deps, access, caller, filter),
  );
  const shown = [...earlier, found, ...later].map(({ document }) => document);
  const options = { ...clientOptionsOf(deps, access, caller), form: filter.eventFormat };
  return {
    ...tokens,
    event: (await showEvents(deps, [found], options))[0] ?? '',
    eventsBefore: await showEvents(deps, earlier, options),
    eventsAfter: await showEvents(deps, later, options),
    state: await stateAround(deps, access.roomId, shown, filter, options),
  };
}
