import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { toRoomEvent } from '../model/event-form.ts';
import { asksForRelations, type EventFilter, matchesEvent, type RelatedEvent } from '../protocol/mod.ts';
import type { ReadAccess } from './read-access.ts';
import { type VisibleEvent, visibleEvents } from './visible-events.ts';

/** Takes from events of a room those that a filter wants and a user who may read the room gets to see. */
export function selectVisible(
  deps: Deps,
  access: ReadAccess,
  { userId }: Pick<Requester, 'userId'>,
  filter: EventFilter,
): (documents: readonly EventDocument[]) => Promise<readonly VisibleEvent[]> {
  return async (documents) =>
    visibleEvents(deps, await matchingEvents(deps, documents, filter), access, userId);
}

/** Of events, in their order, those that a filter wants. */
export async function matchingEvents(
  deps: Pick<Deps, 'events'>,
  documents: readonly EventDocument[],
  filter: EventFilter,
): Promise<readonly EventDocument[]> {
  const related = await relationsTo(deps, documents, filter);
  return documents.filter((document) =>
    matchesEvent(filter, toRoomEvent(document), related.get(document._id)),
  );
}

/** For each event to which some other relates as the filter wants, one such relation. */
async function relationsTo(
  deps: Pick<Deps, 'events'>,
  documents: readonly EventDocument[],
  filter: EventFilter,
): Promise<ReadonlyMap<string, readonly RelatedEvent[]>> {
  const related = new Map<string, readonly RelatedEvent[]>();
  if (!asksForRelations(filter) || documents.length === 0) return related;
  const { relatedBySenders, relatedByRelTypes } = filter;
  const found = deps.events.find(
    {
      relates_to: { $in: documents.map(({ _id }) => _id) },
      ...(relatedByRelTypes ? { rel_type: { $in: [...relatedByRelTypes] } } : {}),
      ...(relatedBySenders ? { sender: { $in: [...relatedBySenders] } } : {}),
      arrival: { $gte: 1 },
      redacted_by: null,
    },
    { projection: { relates_to: 1, rel_type: 1, sender: 1 } },
  );
  for await (const { relates_to: target = '', rel_type: relType = '', sender } of found) {
    if (!related.has(target)) related.set(target, [{ sender, relType }]);
  }
  return related;
}
