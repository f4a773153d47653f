import type { HandlerContext } from '@connectrpc/connect';
import type { GetContextRequest } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { NO_FILTER, readEventFilter } from '../protocol/mod.ts';
import { existingEvent } from './existing-event.ts';
import { pageSize } from './page-size.ts';
import { readAround } from './read-around.ts';
import { selectVisible } from './select-events.ts';
import { stateAround } from './state-around.ts';
import { sessionOf } from './transaction.ts';
import { showEvents } from './visible-events.ts';

/** An event, those around it, and the state after the last of them (client-plane.md 7.10). */
export async function getContext(deps: Deps, request: GetContextRequest, context: HandlerContext) {
  const caller = requester(context);
  const filter = request.filter === undefined ? NO_FILTER : readEventFilter(request.filter);
  const { access, found } = await existingEvent(deps, request.roomId, request.eventId, caller.userId);
  const { earlier, later, ...tokens } = await readAround(
    deps,
    {
      document: found.document,
      limit: pageSize(request.limit),
      until: access.arrival,
      horizon: access.room.horizon,
    },
    selectVisible(deps, access, caller, filter),
  );
  const shown = [...earlier, found, ...later].map(({ document }) => document);
  const form = filter.eventFormat;
  return {
    ...tokens,
    event: (await showEvents(deps, [found], caller, form))[0] ?? '',
    eventsBefore: await showEvents(deps, earlier, caller, form),
    eventsAfter: await showEvents(deps, later, caller, form),
    state: await stateAround(deps, access.roomId, shown, filter, { session: sessionOf(caller), form }),
  };
}
