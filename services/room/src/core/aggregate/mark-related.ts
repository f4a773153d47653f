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
