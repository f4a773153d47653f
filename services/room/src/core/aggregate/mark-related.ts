import { type BulkOperation, NOT_FLUSHED, type UpdateById } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';

/** The type of the relations of a thread. */
const THREAD = 'm.thread';

/**
 * The update by which an event marks the one that it relates to; a thread only moves forward. A missing target stays missing.
 *
 * @param arrival the arrival of the event
 */
export function relationMarkOf(
  { relates_to: target, rel_type: relType, room_id }: EventDocument,
  arrival: number,
): UpdateById<EventDocument>[] {
  if (target === undefined) return [];
  const thread = relType === THREAD ? { $max: { thread_latest: arrival } } : {};
  return [{ filter: { _id: target, room_id }, update: { $unset: { unrelated: true }, ...thread } }];
}

/** Marks the events to which visible events relate. */
export async function markRelated(
  deps: Pick<Deps, 'events'>,
  events: readonly EventDocument[],
): Promise<void> {
  const operations = events.flatMap((event) =>
    relationMarkOf(event, event.arrival ?? 0).map(
      (updateOne): BulkOperation<EventDocument> => ({ updateOne }),
    ),
  );
  if (operations.length > 0) await deps.events.bulkWrite(operations, NOT_FLUSHED);
}

/**
 * Of the events that relate to these, which may have been imported before them, the last of a thread and the last of others:
 * at most two for each, however many there are.
 */
export async function eventsRelatedTo(
  { events }: Pick<Deps, 'events'>,
  targets: readonly EventDocument[],
): Promise<readonly EventDocument[]> {
  const ids = targets.map(({ _id }) => _id);
  const found = events.find(
    { relates_to: { $in: ids }, arrival: { $gte: 1 } },
    { projection: { room_id: 1, relates_to: 1, rel_type: 1, arrival: 1 } },
  );
  const last = new Map<string, EventDocument>();
  for await (const event of found as AsyncIterable<EventDocument>) {
    const key = `${event.relates_to} ${event.rel_type === THREAD}`;
    if ((last.get(key)?.arrival ?? 0) < (event.arrival ?? 0)) last.set(key, event);
  }
  return [...last.values()];
}
