import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  GetRoomEventContextRequest,
  GetRoomEventContextResponseSchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { SEES_ALL, toClientEvents } from '../../core/reading/client-events.ts';
import { pageSize } from '../../core/timeline/page-size.ts';
import { aroundEvenly, readAround } from '../../core/timeline/read-around.ts';
import { stateAround } from '../../core/timeline/state-around.ts';
import { recordPrivateRead } from '../../core/visibility/record-private-read.ts';
import { readFilterParameter } from './read-filter-parameter.ts';
import { selectAdmitted } from './select-admitted.ts';

/** Returns an event and the events around it, regardless of their visibility (behaviour.md 10.7). */
export async function getRoomEventContext(
  deps: Deps,
  request: GetRoomEventContextRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetRoomEventContextResponseSchema>> {
  const { roomId, eventId } = request;
  const filter = readFilterParameter(request.filter);
  const room = await loadRoom(deps, roomId);
  if (room) await recordPrivateRead(context, room);
  const document = room && (await deps.events.findOne({ _id: eventId, room_id: roomId }));
  if (document?.arrival === undefined || document.rejected === true) throw refuse.notFound('Event not found');
  const around = {
    document,
    limits: aroundEvenly(pageSize(request.limit)),
    until: room?.arrival ?? 0,
    horizon: room?.horizon,
  };
  const { earlier, later, ...tokens } = await readAround(deps, around, selectAdmitted(deps, filter));
  const shown = [...earlier, { document }, ...later].map((found) => found.document);
  const form = filter.eventFormat === 'client' ? 'admin' : 'federation';
  const options = { judgeReplaced: SEES_ALL, form, showsOrders: true } as const;
  const show = (found: typeof earlier) =>
    toClientEvents(
      deps,
      found.map((one) => one.document),
      options,
    );
  return {
    ...tokens,
    event: (await show([{ document }]))[0] ?? '',
    eventsBefore: await show(earlier),
    eventsAfter: await show(later),
    state: await stateAround(deps, roomId, shown, filter, options),
  };
}
