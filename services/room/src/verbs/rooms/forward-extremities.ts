import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  DeleteForwardExtremitiesRequest,
  ListForwardExtremitiesRequest,
  ListForwardExtremitiesResponseSchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { commit, retryOnConflict } from '@steward/store';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { namedRoom } from '../../core/aliases/named-room.ts';
import type { Deps } from '../../core/deps.ts';
import type { Extremity } from '../../core/model/room.ts';

/** How long a change is decided anew when others change the same room meanwhile. */
const CONFLICT_DEADLINE_MS = 20_000;

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
  const retry = {
    deadlineMs: deps.clock.now() + CONFLICT_DEADLINE_MS,
    clock: deps.clock,
    random: deps.random,
  };
  return retryOnConflict(async () => {
    const room = await loadRoom(deps, roomId);
    const newest = inOrder(room?.extremities ?? []).at(-1);
    if (!room || !newest) throw refuse.unknown('The room has no forward extremities');
    const deleted = room.extremities.length - 1;
    if (deleted > 0) await commit(deps.rooms, room, { set: { extremities: [newest] } });
    return { deleted: BigInt(deleted) };
  }, retry);
}

function inOrder(extremities: readonly Extremity[]): readonly Extremity[] {
  return extremities.toSorted((a, b) => a.arrival - b.arrival);
}
