import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  ListRoomMessagesRequest,
  ListRoomMessagesResponseSchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { raiseDeferred, raiseDeferredOf } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { BEGINNING, formatPosition, positionOf, readTokenParameter } from '../../core/model/position.ts';
import { SEES_ALL, toClientEvents } from '../../core/reading/client-events.ts';
import { membersOfSenders } from '../../core/reading/members-of-senders.ts';
import { awaitPurges } from '../../core/timeline/await-purges.ts';
import { pageSize } from '../../core/timeline/page-size.ts';
import { readSelected } from '../../core/timeline/read-page.ts';
import { recordPrivateRead } from '../../core/visibility/record-private-read.ts';
import { readFilterParameter } from './read-filter-parameter.ts';
import { selectAdmitted } from './select-admitted.ts';

/** Lists a page of a room's history, regardless of the visibility of its events (behaviour.md 10.5). */
export async function listRoomMessages(
  deps: Deps,
  request: ListRoomMessagesRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof ListRoomMessagesResponseSchema>> {
  const { roomId, limit } = request;
  raiseDeferredOf(context, 'dir');
  const direction = request.dir === 'b' ? 'b' : 'f';
  const fromToken = readTokenParameter(request.from);
  const toToken = readTokenParameter(request.to);
  raiseDeferred(context);
  if (limit !== undefined && limit < 0n) throw refuse.unknown("'limit' must be at least 0");
  const filter = readFilterParameter(request.filter);
  const form = request.raw === undefined && filter.eventFormat === 'client' ? 'admin' : 'federation';

  const start = fromToken && request.from;
  await awaitPurges(deps, roomId);
  const room = await loadRoom(deps, roomId);
  if (!room) return { start: start ?? formatPosition(BEGINNING) };
  await recordPrivateRead(context, room);
  const from = positionOf(room, fromToken, direction);
  const page = await readSelected(
    deps,
    {
      roomId,
      direction,
      from,
      to: toToken && positionOf(room, toToken, direction),
      limit: pageSize(limit),
      until: room.arrival,
      horizon: room.horizon,
    },
    selectAdmitted(deps, filter),
  );
  const chunk = page.events.map(({ document }) => document);
  const senders = filter.lazyLoadMembers
    ? await membersOfSenders(
        deps,
        { roomId, arrival: chunk[0]?.arrival ?? 0 },
        chunk.map(({ sender }) => sender),
      )
    : [];
  const options = { judgeReplaced: SEES_ALL, form, showsOrders: true } as const;
  return {
    chunk: await toClientEvents(deps, chunk, options),
    start: start ?? formatPosition(from),
    ...(page.end ? { end: formatPosition(page.end) } : {}),
    state: await toClientEvents(deps, senders, options),
  };
}
