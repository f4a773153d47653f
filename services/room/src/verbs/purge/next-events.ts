import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import type { PurgeParams } from '../../core/model/history-purge.ts';
import type { Position } from '../../core/model/position.ts';
import type { Room } from '../../core/model/room.ts';
import { serverNameOf } from '../../core/protocol/mod.ts';

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

/** Whether a purge removes an event that is before its boundary. */
export function isPurged(
  { serverName }: Pick<Deps, 'serverName'>,
  { deleteLocal }: Pick<PurgeParams, 'deleteLocal'>,
  { state_key: stateKey, sender, arrival }: EventDocument,
): boolean {
  return (
    arrival !== undefined && stateKey === undefined && (deleteLocal || serverNameOf(sender) !== serverName)
  );
}

/** Whether a purge below a depth would leave a room without its last messages: then nothing is purged. */
export function losesLast({ extremities }: Pick<Room, 'extremities'>, depth: number): boolean {
  return extremities.every((newest) => newest.depth < depth);
}

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
