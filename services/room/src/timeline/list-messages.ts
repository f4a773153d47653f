import type { HandlerContext } from '@connectrpc/connect';
import type { ListMessagesRequest } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { NO_FILTER, readEventFilter } from '../protocol/mod.ts';
import { awaitPurges } from '../purge/await-purges.ts';
import { readAccess } from '../rooms/access.ts';
import { membersOfSenders } from '../state/members-of-senders.ts';
import { placeOfToken } from '../sync/place-of-token.ts';
import { toClientEvents } from './client-events.ts';
import { pageSize } from './page-size.ts';
import { formatPosition, positionOf } from './position.ts';
import { readSelected } from './read-page.ts';
import { selectVisible } from './select-events.ts';
import { sessionOf } from './transaction.ts';
import { showEvents } from './visible-events.ts';

/** A page of what happened in a room (client-plane.md 7.10). */
export async function listMessages(deps: Deps, request: ListMessagesRequest, context: HandlerContext) {
  const caller = requester(context);
  const direction = request.dir === 'b' ? 'b' : 'f';
  const fromToken = await placeOfToken(deps, caller, request.roomId, request.from);
  const toToken = await placeOfToken(deps, caller, request.roomId, request.to);
  const filter = request.filter === undefined ? NO_FILTER : readEventFilter(request.filter);
  await awaitPurges(deps, request.roomId);
  const access = await readAccess(deps, request.roomId, caller.userId);
  const from = positionOf(access.room, fromToken, direction);
  const page = await readSelected(
    deps,
    {
      roomId: access.roomId,
      direction,
      from,
      to: toToken && positionOf(access.room, toToken, direction),
      limit: pageSize(request.limit),
      until: access.arrival,
      horizon: access.room.horizon,
    },
    selectVisible(deps, access, caller, filter),
  );
  const [first] = page.events;
  const senders = filter.lazyLoadMembers
    ? await membersOfSenders(
        deps,
        { roomId: access.roomId, arrival: first?.document.arrival ?? 0 },
        page.events.map(({ document }) => document.sender),
      )
    : undefined;
  return {
    start: fromToken && request.from !== undefined ? request.from : formatPosition(from),
    ...(page.end ? { end: formatPosition(page.end) } : {}),
    chunk: await showEvents(deps, page.events, caller, filter.eventFormat),
    ...(senders ? { state: `[${await toClientEvents(deps, senders, { session: sessionOf(caller) })}]` } : {}),
  };
}
