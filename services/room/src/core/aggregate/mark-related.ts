import { type BulkOperation, NOT_FLUSHED, type UpdateById } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';

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
  const thread = relType === 'm.thread' ? { $max: { thread_latest: arrival } } : {};
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

/** The events that relate to these, which may have been imported before them. */
export async function eventsRelatedTo(
  { events }: Pick<Deps, 'events'>,
  targets: readonly EventDocument[],
): Promise<readonly EventDocument[]> {
  const ids = targets.map(({ _id }) => _id);
  return events
    .find(
      { relates_to: { $in: ids }, arrival: { $gte: 1 } },
      { projection: { room_id: 1, relates_to: 1, rel_type: 1, arrival: 1 } },
    )
    .toArray() as Promise<readonly EventDocument[]>;
}
