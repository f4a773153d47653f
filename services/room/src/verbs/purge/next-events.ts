import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import type { Position } from '../../core/model/position.ts';

/** Events that are read with one query, and removed with one call. */
const BATCH = 256;

/** What is read of each. */
const FIELDS = {
  depth: 1,
  arrival: 1,
  received_ts: 1,
  bytes: 1,
  sender: 1,
  type: 1,
  state_key: 1,
  media: 1,
  avatar: 1,
  other_media: 1,
} as const;

/** Events after a position and below a depth; two queries, so that each reads one range of an index. */
export async function nextEvents(
  deps: Pick<Deps, 'events'>,
  roomId: string,
  { depth, arrival }: Position,
  end: number,
): Promise<readonly EventDocument[]> {
  const sort = { depth: 1, arrival: 1 } as const;
  const options = { sort, limit: BATCH, projection: FIELDS };
  const [same, deeper] = await Promise.all([
    deps.events.find({ room_id: roomId, depth, arrival: { $gt: arrival } }, options).toArray(),
    deps.events
      .find({ room_id: roomId, depth: { $gt: depth, $lt: end }, arrival: { $gte: 1 } }, options)
      .toArray(),
  ]);
  return [...same, ...deeper].slice(0, BATCH);
}
