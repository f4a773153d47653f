import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import { RoomForwardExtremitiesDeletedSchema } from '@steward/proto/steward/feed/v1/rooms_pb.ts';
import type { DeleteForwardExtremitiesRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { rooms } from '../../core/aggregate/rooms.ts';
import { namedRoom } from '../../core/aliases/named-room.ts';
import type { Deps } from '../../core/deps.ts';
import type { Room } from '../../core/model/room.ts';
import { byArrival } from './by-arrival.ts';

/** Deletes the forward extremities of a room but the one that arrived last (behaviour.md 10.14). */
export async function deleteForwardExtremities(
  deps: Deps,
  request: DeleteForwardExtremitiesRequest,
  context: HandlerContext,
) {
  const roomId = await namedRoom(deps, request.roomIdOrAlias);
  const keepNewest = ({ extremities }: Room) => {
    const newest = byArrival(extremities).at(-1);
    if (!newest) throw noExtremities();
    const deleted = extremities.length - 1;
    return deleted > 0 ? { set: { extremities: [newest] }, result: deleted } : undefined;
  };
  const kept = await rooms.change(deps, roomId, keepNewest);
  if (!kept) throw noExtremities();
  reportEvent(context, RoomForwardExtremitiesDeletedSchema, { roomId }, [roomId]);
  return { deleted: BigInt(kept.result ?? 0) };
}

/** Plans `deleteForwardExtremities`. */
export async function planDeleteForwardExtremities(
  deps: Deps,
  request: DeleteForwardExtremitiesRequest,
): Promise<Planned> {
  const id = await namedRoom(deps, request.roomIdOrAlias);
  const room = await rooms.load(deps, id);
  if (!room || room.extremities.length === 0) throw noExtremities();
  return {
    changes: [{ kind: 'forward_extremities', change: 'removed', count: room.extremities.length - 1 }],
    sample: [{ kind: 'room', id, name: room.name }],
    state: [room.version],
  };
}

function noExtremities(): Error {
  return refuse.unknown('The room has no forward extremities');
}
