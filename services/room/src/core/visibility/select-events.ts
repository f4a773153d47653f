import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { toRoomEvent } from '../model/event-form.ts';
import { type EventFilter, filtersByRelations, matchesEvent, type RelatedEvent } from '../protocol/mod.ts';
import type { ReadAccess } from './read-access.ts';
import { type VisibleEvent, visibleEvents } from './visible-events.ts';

/**
 * Selects the events of a room that match a filter and are visible to a user who may read the room, without the messages of
 * users whom the reader ignores.
 */
export function selectVisible(
  deps: Deps,
  access: ReadAccess,
  { userId }: Pick<Requester, 'userId'>,
  filter: EventFilter,
): (documents: readonly EventDocument[]) => Promise<readonly VisibleEvent[]> {
  return async (documents) => {
    const matching = await matchingEvents(deps, documents, filter);
    return visibleEvents(deps, await withoutIgnored(deps, matching, userId), access, userId);
  };
}

/** The events without the messages of users whom a user ignores; state events are part of the room. */
async function withoutIgnored(
  { ignoredUsers }: Pick<Deps, 'ignoredUsers'>,
  documents: readonly EventDocument[],
  userId: string,
): Promise<readonly EventDocument[]> {
  const isOthers = ({ sender, state_key }: EventDocument) => state_key === undefined && sender !== userId;
  if (!documents.some(isOthers)) return documents;
  const ignored = await ignoredUsers.of(userId);
  if (ignored.size === 0) return documents;
  return documents.filter((document) => !isOthers(document) || !ignored.has(document.sender));
}

/** The events that match a filter, in their order. */
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

/** One relation for each event to which another event relates as the filter requires. */
async function relationsTo(
  deps: Pick<Deps, 'events'>,
  documents: readonly EventDocument[],
  filter: EventFilter,
): Promise<ReadonlyMap<string, readonly RelatedEvent[]>> {
  const related = new Map<string, readonly RelatedEvent[]>();
  if (!filtersByRelations(filter) || documents.length === 0) return related;
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
