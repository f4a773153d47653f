import type { OutgoingEvent } from '@steward/events';
import { type BulkOperation, type Collection, Conflict, type Doc, NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { Imported, Ranged, Redaction } from '../model/import-document.ts';
import {
  hasIntervals,
  isAdmitted,
  memberDocumentsOf,
  stateIntervalsOf,
} from '../model/imported-documents.ts';
import { mediaOf } from '../model/media-fields.ts';
import type { MemberDocument } from '../model/member.ts';
import type { AdmittedImport } from '../model/pending-effects.ts';
import type { Room } from '../model/room.ts';
import { CURRENT, eventIdOf, ownIntervalsOf, type StateDocument } from '../model/state-document.ts';
import { roomTopic } from '../model/topics.ts';
import { markRedacted, redactMembers } from './apply-redactions.ts';
import type { KnownDocuments } from './known-documents.ts';
import { eventsRelatedTo, markRelated } from './mark-related.ts';
import { mediaChanged, redactedMediaOf, URIS_OF_FACT } from './media-facts.ts';
import { removeEntries } from './remove-entries.ts';

/**
 * Stores the events of import documents with their state intervals and members, applies redactions among them and of
 * earlier events, and deletes the import documents. Idempotent, also when it runs late and in several processes concurrently, as long as
 * none of the events is removed in between. A missing import document was applied before.
 *
 * @returns a function that notifies the waiters
 */
export async function applyImports(
  deps: Deps,
  room: Room,
  effects: readonly AdmittedImport[],
  known: KnownDocuments = {},
): Promise<() => void> {
  const redactions: Redaction[] = [];
  const imported = new Map<string, Imported>();
  for (const { id } of effects) {
    const content = known.imports?.get(id) ?? (await readImport(deps, id));
    if (!content) continue;
    const { events } = content;
    const admitted = events.filter(isAdmitted);
    await Promise.all([
      insertMissing(deps.events, events),
      storeIntervals(deps, events.filter(hasIntervals)),
      storeMembers(deps, admitted),
    ]);
    await markRelated(deps, [...admitted, ...(await eventsRelatedTo(deps, admitted))]);
    for (const ranged of content.ranges) await moveIntervals(deps, ranged);
    const since = content.redactions;
    const withTargets = [...admitted.filter(({ redacts }) => redacts !== undefined), ...since];
    redactions.push(...withTargets);
    // No event follows at which the search would remove them.
    await removeEntries(
      deps,
      room._id,
      since.flatMap(({ redacts }) => redacts ?? []),
    );
    imported.set(id, { ...content, events: admitted, redactions: withTargets });
  }
  await markRedacted(deps, redactions);
  await redactMembers(deps, redactions);
  const redactedUris = await redactedMediaOf(deps, redactions);
  const facts = [...imported].flatMap(([id, content]) => factsOfImport(room, id, content, redactedUris));
  await deps.outbox.add(facts, NOT_FLUSHED);
  for (const { id } of effects) await deps.imports.deleteOne({ _id: id }, NOT_FLUSHED);
  return () => deps.bus.notify(roomTopic(room._id));
}

/** The facts that imported events show media, or redact events that did. */
function factsOfImport(
  { _id: roomId, arrival }: Room,
  id: string,
  { events, redactions, created_ts }: Imported,
  redactedUris: ReadonlyMap<string, readonly string[]>,
): readonly OutgoingEvent[] {
  const [first] = events;
  const redacted = redactions.flatMap(({ redacts = '' }) => redactedUris.get(redacts) ?? []);
  const uris = [...new Set([...events.flatMap(mediaOf), ...redacted])];
  const about = {
    timeMs: first?.received_ts ?? created_ts,
    sequence: first?.arrival ?? arrival,
    traceparent: '',
    requester: '',
  };
  return Array.from({ length: Math.ceil(uris.length / URIS_OF_FACT) }, (_, part) => {
    const some = uris.slice(part * URIS_OF_FACT, (part + 1) * URIS_OF_FACT);
    return mediaChanged(roomId, some, { ...about, id: `${id}.media.${part}` });
  });
}

async function readImport({ imports }: Pick<Deps, 'imports'>, id: string): Promise<Imported | undefined> {
  const document = await imports.findOne({ _id: id });
  if (!document) return undefined;
  const { created_ts, events, redactions = '[]', ranges = '[]' } = document;
  return {
    created_ts,
    events: JSON.parse(events),
    redactions: JSON.parse(redactions),
    ranges: JSON.parse(ranges),
  };
}

/** Inserts the documents that do not exist; returns whether none of them existed. */
async function insertMissing<T extends Doc>(
  collection: Collection<T>,
  documents: readonly T[],
): Promise<boolean> {
  if (documents.length === 0) return true;
  try {
    await collection.insertMany(documents, { ...NOT_FLUSHED, ordered: false });
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

async function storeIntervals(
  { states }: Pick<Deps, 'states'>,
  events: readonly EventDocument[],
): Promise<void> {
  const { opened, closed } = stateIntervalsOf(events);
  // Opened before replaced intervals are closed: a reader in between finds both, and uses the later one.
  await insertMissing(states, opened);
  if (closed.length > 0) {
    await states.bulkWrite(
      closed.map((updateOne) => ({ updateOne })),
      NOT_FLUSHED,
    );
  }
}

/** Gives a state event that is there the intervals of its ranges, in place of those that it has. */
async function moveIntervals(
  { events, states }: Pick<Deps, 'events' | 'states'>,
  ranged: Ranged,
): Promise<void> {
  const { _id, room_id, type, state_key = '', in_state = [], replaces_in_branch } = ranged;
  const branch =
    replaces_in_branch === undefined
      ? { $set: { in_state }, $unset: { replaces_in_branch: true } as const }
      : { $set: { in_state, replaces_in_branch } };
  await events.updateOne({ _id }, branch, NOT_FLUSHED);
  const held = await states.find({ room_id, type, state_key, from: { $gte: 0 } }).toArray();
  const own = new Map(held.flatMap((each) => (eventIdOf(each) === _id ? [[each._id, each] as const] : [])));
  const operations = ownIntervalsOf(ranged).map(({ _id: id, ...interval }): BulkOperation<StateDocument> => {
    // An event that has replaced it since has ended its last interval.
    const { until = CURRENT } = own.get(id) ?? {};
    const isEnded = interval.until === CURRENT && until < CURRENT && until > interval.from;
    own.delete(id);
    return {
      updateOne: {
        filter: { _id: id, room_id },
        update: { $set: { ...interval, ...(isEnded ? { until } : {}) } },
        upsert: true,
      },
    };
  });
  if (operations.length > 0) await states.bulkWrite(operations, NOT_FLUSHED);
  if (own.size > 0) await states.deleteMany({ room_id, _id: { $in: [...own.keys()] } }, NOT_FLUSHED);
}

async function storeMembers(
  { members, serverName }: Pick<Deps, 'members' | 'serverName'>,
  events: readonly EventDocument[],
): Promise<void> {
  const documents = memberDocumentsOf(events, serverName);
  if (documents.length === 0) return;
  const existing = new Set<string>();
  const ids = documents.map(({ _id }) => _id);
  for await (const { _id } of members.find({ _id: { $in: ids } }, { projection: { _id: 1 } })) {
    existing.add(_id);
  }
  const allInserted = await insertMissing(
    members,
    documents.filter(({ _id }) => !existing.has(_id)),
  );
  // On a conflict another process has inserted some of them since the query.
  const moved = allInserted ? documents.filter(({ _id }) => existing.has(_id)) : documents;
  const operations = moved.map(
    ({ _id, room_id, user_id, local, stay, ...fields }): BulkOperation<MemberDocument> => ({
      updateOne: {
        filter: { _id, arrival: { $lt: fields.arrival } },
        update: { $set: { ...fields, ...(stay === 0 ? {} : { stay }) } },
      },
    }),
  );
  if (operations.length > 0) await members.bulkWrite(operations, NOT_FLUSHED);
}
