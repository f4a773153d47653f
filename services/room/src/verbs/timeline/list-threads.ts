import type { HandlerContext } from '@connectrpc/connect';
import { isObject, own } from '@steward/kernel';
import type { ListThreadsRequest } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { requester } from '@steward/rpc';
import { readTokenInRoom } from '../../core/cursors/read-token-in-room.ts';
import type { Deps } from '../../core/deps.ts';
import { formatPosition } from '../../core/model/position.ts';
import { MAX_PAGE_OF_RELATED, pageSize } from '../../core/timeline/page-size.ts';
import { readAccess } from '../../core/visibility/read-access.ts';
import { showEvents } from '../../core/visibility/show-events.ts';
import { clientOptionsOf, visibleEvents } from '../../core/visibility/visible-events.ts';

/** The fewest threads that one query reads, because not all may be asked for. */
const MIN_PER_QUERY = 20;

/** The most threads that a request reads to fill its page. */
const MAX_READ = 200;

/** Lists the threads of a room by their newest reply (client-plane.md 12). */
export async function listThreads(deps: Deps, request: ListThreadsRequest, context: HandlerContext) {
  const caller = requester(context);
  const token = await readTokenInRoom(deps, caller, request.roomId, request.from);
  const access = await readAccess(deps, request.roomId, caller.userId);
  const { room, roomId } = access;
  const options = clientOptionsOf(deps, access, caller);
  const limit = Math.min(pageSize(request.limit), MAX_PAGE_OF_RELATED);
  const ignored = await deps.ignoredUsers.of(caller.userId);
  const chunk: string[] = [];
  let from = token?.kind === 'room' ? token.arrival : room.arrival;
  let hasMore = true;
  for (let read = 0; hasMore && chunk.length < limit && read < MAX_READ; ) {
    const count = Math.max(limit - chunk.length, MIN_PER_QUERY);
    const documents = await deps.events
      .find(
        {
          room_id: roomId,
          thread_latest: { $gte: 1, $lte: from },
          ...(room.horizon ? { depth: { $gte: room.horizon.depth } } : {}),
        },
        { sort: { thread_latest: -1 }, limit: count },
      )
      .toArray();
    read += documents.length;
    hasMore = documents.length === count;
    const visible = await visibleEvents(deps, documents, access, caller.userId);
    // A client that aggregates on its own would see a redacted event in place of that of an ignored user.
    const roots = visible.map((root) =>
      ignored.has(root.document.sender) ? { ...root, isRedacted: true } : root,
    );
    const texts = await showEvents(deps, roots, options);
    for (const [index, text] of texts.entries()) {
      if (!isIncluded(text, request.include === 'participated')) continue;
      if (chunk.length === limit) {
        hasMore = true;
        break;
      }
      chunk.push(text);
      from = (roots[index]?.document.thread_latest ?? from) - 1;
    }
    if (chunk.length < limit) from = (documents.at(-1)?.thread_latest ?? from) - 1;
  }
  return {
    chunk,
    ...(hasMore ? { nextBatch: formatPosition({ depth: room.depth, arrival: from }) } : {}),
  };
}

/** Whether an event begins a thread of which the caller sees a reply, and in which they wrote, if that is asked for. */
function isIncluded(text: string, participated: boolean): boolean {
  const thread = own(own(own(JSON.parse(text), 'unsigned'), 'm.relations'), 'm.thread');
  return isObject(thread) && (!participated || own(thread, 'current_user_participated') === true);
}
