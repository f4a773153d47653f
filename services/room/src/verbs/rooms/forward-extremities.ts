import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  DeleteForwardExtremitiesRequest,
  ListForwardExtremitiesRequest,
  ListForwardExtremitiesResponseSchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { rooms } from '../../core/aggregate/rooms.ts';
import { namedRoom } from '../../core/aliases/named-room.ts';
import type { Deps } from '../../core/deps.ts';
import type { Extremity, Room } from '../../core/model/room.ts';

/** The events of a room that no other one follows, in the order of arrival (behaviour.md 10.14). */
export async function listForwardExtremities(
  deps: Deps,
  request: ListForwardExtremitiesRequest,
): Promise<MessageInitShape<typeof ListForwardExtremitiesResponseSchema>> {
  const room = await loadRoom(deps, await namedRoom(deps, request.roomIdOrAlias));
  const extremities = inOrder(room?.extremities ?? []);
  return {
    count: BigInt(extremities.length),
    results: extremities.map(({ event_id, arrival, depth, received_ts }) => ({
      eventId: event_id,
      // Each event may change the state: its arrival tells the states apart.
      stateGroup: BigInt(arrival),
      depth: BigInt(depth),
      receivedTs: BigInt(received_ts),
    })),
  };
}

/** Makes the event that arrived last the only one that the next event follows (behaviour.md 10.14). */
export async function deleteForwardExtremities(deps: Deps, request: DeleteForwardExtremitiesRequest) {
  const roomId = await namedRoom(deps, request.roomIdOrAlias);
  let deleted = 0;
  const keepNewest = ({ extremities }: Room) => {
    const newest = inOrder(extremities).at(-1);
    if (!newest) throw noExtremities();
    deleted = extremities.length - 1;
    return deleted > 0 ? { set: { extremities: [newest] } } : undefined;
  };
  if (!(await rooms.change(deps, roomId, keepNewest))) throw noExtremities();
  return { deleted: BigInt(deleted) };
}

function noExtremities(): Error {
  return refuse.unknown('The room has no forward extremities');
}

function inOrder(extremities: readonly Extremity[]): readonly Extremity[] {
  return extremities.toSorted((a, b) => a.arrival - b.arrival);
}
