import type { HandlerContext } from '@connectrpc/connect';
import type { ListRelationsRequest } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { requester } from '@steward/rpc';
import { readTokenInRoom } from '../../core/cursors/read-token-in-room.ts';
import type { Deps } from '../../core/deps.ts';
import { formatPosition, positionOf } from '../../core/model/position.ts';
import { NO_FILTER } from '../../core/protocol/mod.ts';
import { MAX_PAGE_OF_RELATED, pageSize } from '../../core/timeline/page-size.ts';
import { existingEvent } from '../../core/visibility/existing-event.ts';
import { selectVisible } from '../../core/visibility/select-events.ts';
import { showEvents } from '../../core/visibility/show-events.ts';
import { clientOptionsOf, type VisibleEvent } from '../../core/visibility/visible-events.ts';

/** How many steps from the event are followed. */
const MAX_DEPTH = 3;

/** The most events whose relations are followed. */
const MAX_PARENTS = 1_000;

/** The fewest events that one query reads, because not all may be visible. */
const MIN_PER_QUERY = 20;

/** The most events that a request reads to fill its page. */
const MAX_READ = 1_000;

/** Lists the events that relate to an event (client-plane.md 12). They are ordered by arrival. */
export async function listRelations(deps: Deps, request: ListRelationsRequest, context: HandlerContext) {
  const caller = requester(context);
  const { roomId, eventId, relType, eventType, recurse } = request;
  const fromToken = await readTokenInRoom(deps, caller, roomId, request.from);
  const toToken = await readTokenInRoom(deps, caller, roomId, request.to);
  const { access } = await existingEvent(deps, roomId, eventId, caller.userId);
  const forward = request.dir === 'f';
  const direction = forward ? 'f' : 'b';
  const limit = Math.min(pageSize(request.limit), MAX_PAGE_OF_RELATED);
  const { horizon } = access.room;
  const related = {
    redacted_by: null,
    ...(horizon ? { depth: { $gte: horizon.depth } } : {}),
  };
  const parents = recurse ? await withDescendants(deps, eventId) : [eventId];
  const select = selectVisible(deps, access, caller, NO_FILTER);
  const to = toToken && positionOf(access.room, toToken, direction).arrival;
  let from = positionOf(access.room, fromToken, direction).arrival;
  const found: VisibleEvent[] = [];
  let hasMore = limit > 0;
  for (let read = 0; hasMore && found.length < limit && read < MAX_READ; ) {
    const count = Math.max(limit + 1 - found.length, MIN_PER_QUERY);
    const [after, upTo] = forward ? [from, to] : [to, from];
    const documents = await deps.events
      .find(
        {
          ...related,
          relates_to: { $in: parents },
          ...(relType === undefined ? {} : { rel_type: relType }),
          ...(eventType === undefined ? {} : { type: eventType }),
          arrival: { $gt: after ?? 0, $lte: Math.min(upTo ?? access.arrival, access.arrival) },
        },
        { sort: { arrival: forward ? 1 : -1 }, limit: count },
      )
      .toArray();
    read += documents.length;
    // Of other rooms only where imported events relate across rooms; by the room, engines would read all its events.
    const selected = await select(documents.filter(({ room_id }) => room_id === roomId));
    const page = selected.slice(0, limit - found.length);
    found.push(...page);
    const isCut = page.length < selected.length;
    const last = isCut ? page.at(-1)?.document : documents.at(-1);
    if (last?.arrival !== undefined) from = forward ? last.arrival : last.arrival - 1;
    hasMore = isCut || documents.length === count;
  }
  return {
    chunk: await showEvents(deps, found, clientOptionsOf(deps, access, caller)),
    ...(hasMore ? { nextBatch: formatPosition({ depth: access.room.depth, arrival: from }) } : {}),
    ...(fromToken && request.from !== undefined ? { prevBatch: request.from } : {}),
    ...(recurse === undefined ? {} : { recursionDepth: BigInt(recurse ? MAX_DEPTH : 1) }),
  };
}

/** An event, and those that relate to it in fewer steps than are followed. */
async function withDescendants(deps: Pick<Deps, 'events'>, eventId: string): Promise<readonly string[]> {
  const all = new Set([eventId]);
  let parents: readonly string[] = [eventId];
  for (let depth = 1; depth < MAX_DEPTH && parents.length > 0; depth++) {
    const children = await deps.events
      .find(
        { relates_to: { $in: [...parents] }, arrival: { $gte: 1 }, redacted_by: null },
        { sort: { arrival: -1 }, limit: MAX_PARENTS, projection: { unrelated: 1 } },
      )
      .toArray();
    parents = children.flatMap(({ _id, unrelated }) => (unrelated || all.has(_id) ? [] : [_id]));
    for (const id of parents) all.add(id);
  }
  return [...all];
}
