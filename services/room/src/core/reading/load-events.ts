import type { Collections } from '../collections.ts';
import type { EventDocument } from '../model/event-document.ts';

/** Loads events in the order of the ids; omits missing events, and events that are not visible yet. */
export async function loadEvents(
  deps: Pick<Collections, 'events'>,
  ids: readonly string[],
): Promise<readonly EventDocument[]> {
  if (ids.length === 0) return [];
  const found = new Map<string, EventDocument>();
  for await (const event of deps.events.find({ _id: { $in: ids } })) {
    if (event.arrival !== undefined) found.set(event._id, event);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}
