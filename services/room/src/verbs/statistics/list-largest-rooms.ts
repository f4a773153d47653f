import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type { ListLargestRoomsResponseSchema } from '@steward/proto/steward/room/v1/statistics_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** The number of rooms in the response. */
const LIMIT = 10;

/** Lists the rooms whose events take up most of the database (behaviour.md 6.2). */
export async function listLargestRooms(
  deps: Deps,
): Promise<MessageInitShape<typeof ListLargestRoomsResponseSchema>> {
  if (!deps.capabilities.estimatesStorage) {
    throw refuse.unknown('Room sizes are not available with the embedded store');
  }
  const largest = await deps.rooms
    .find({}, { sort: { event_bytes: -1, _id: 1 }, limit: LIMIT, projection: { event_bytes: 1 } })
    .toArray();
  return {
    rooms: largest.map(({ _id, event_bytes }) => ({ roomId: _id, estimatedSize: BigInt(event_bytes) })),
  };
}
