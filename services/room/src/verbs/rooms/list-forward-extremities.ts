import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListForwardExtremitiesRequest,
  ListForwardExtremitiesResponseSchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { namedRoom } from '../../core/aliases/named-room.ts';
import type { Deps } from '../../core/deps.ts';
import { byArrival } from './by-arrival.ts';

/** Lists the forward extremities of a room in the order of arrival (behaviour.md 10.14). */
export async function listForwardExtremities(
  deps: Deps,
  request: ListForwardExtremitiesRequest,
): Promise<MessageInitShape<typeof ListForwardExtremitiesResponseSchema>> {
  const room = await loadRoom(deps, await namedRoom(deps, request.roomIdOrAlias));
  const extremities = byArrival(room?.extremities ?? []);
  return {
    count: BigInt(extremities.length),
    results: extremities.map(({ event_id, arrival, depth, received_ts }) => ({
      eventId: event_id,
      // Every event may change the state, so the arrival of an event identifies the state after it.
      stateGroup: BigInt(arrival),
      depth: BigInt(depth),
      receivedTs: BigInt(received_ts),
    })),
  };
}
