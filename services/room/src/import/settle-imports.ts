import { type BulkOperation, type Collection, Conflict, type Doc } from '@steward/store';
import type { Deps } from '../deps.ts';
import { type MemberDocument, memberId, noMember } from '../members/member.ts';
import { readMember } from '../members/read-member.ts';
import { OWED } from '../rooms/owed.ts';
import { CURRENT, type StateDocument } from '../state/state-document.ts';
import type { EventDocument } from '../timeline/event-document.ts';

/**
 * Does what the import documents of a room owe: their events become visible, and state and members follow.
 * Safe to do twice, late, and on several machines at once, as long as none of the events is removed
 * meanwhile. An import document that is gone has been dealt with.
 *
 * @returns the redactions among the events, which are still to be applied
 */
export async function settleImports(
  deps: Pick<Deps, 'imports' | 'events' | 'states' | 'members' | 'serverName'>,
  ids: readonly string[],
  known: ReadonlyMap<string, readonly EventDocument[]> = new Map(),
): Promise<readonly EventDocument[]> {
  const redactions: EventDocument[] = [];
  for (const id of ids) {
    const events = known.get(id) ?? (await readImport(deps, id));
    if (!events) continue;
    const admitted = events.filter((event) => !event.soft_failed && !event.rejected);
    await Promise.all([
      insertMissing(deps.events, events),
      placeState(deps, admitted),
      placeMembers(deps, admitted),
    ]);
    redactions.push(...admitted.filter(({ redacts }) => redacts !== undefined));
  }
  return redactions;
}

async function readImport(
  { imports }: Pick<Deps, 'imports'>,
  id: string,
): Promise<readonly EventDocument[] | undefined> {
  const document = await imports.findOne({ _id: id });
  return document ? JSON.parse(document.events) : undefined;
}

/** @returns whether all were missing */
async function insertMissing<T extends Doc>(
  collection: Collection<T>,
  documents: readonly T[],
): Promise<boolean> {
  if (documents.length === 0) return true;
  try {
    await collection.insertMany(documents, { ...OWED, ordered: false });
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

async function placeState({ states }: Pick<Deps, 'states'>, events: readonly EventDocument[]): Promise<void> {
  const opened = new Map<string, StateDocument>();
  const closed: BulkOperation<StateDocument>[] = [];
  for (const { _id, room_id, type, state_key, arrival = 0, replaces } of events) {
    if (state_key === undefined) continue;
    opened.set(_id, { _id, room_id, type, state_key, from: arrival, until: CURRENT });
    if (replaces === undefined) continue;
    const before = opened.get(replaces);
    if (before) opened.set(replaces, { ...before, until: arrival });
    else {
      const filter = { _id: replaces, room_id, until: CURRENT };
      closed.push({ updateOne: { filter, update: { $set: { until: arrival } } } });
    }
  }
  // Opened before others are closed: who reads in between finds two, of which the later counts.
  await insertMissing(states, [...opened.values()]);
  if (closed.length > 0) await states.bulkWrite(closed, OWED);
}

async function placeMembers(
  { members, serverName }: Pick<Deps, 'members' | 'serverName'>,
  events: readonly EventDocument[],
): Promise<void> {
  const placed = new Map<string, MemberDocument>();
  for (const event of events) {
    const { type, state_key, room_id, stay } = event;
    if (type !== 'm.room.member' || state_key === undefined) continue;
    const id = memberId(room_id, state_key);
    placed.set(id, {
      ...(placed.get(id) ?? noMember(room_id, state_key, serverName)),
      ...readMember(event),
      event_id: event._id,
      arrival: event.arrival ?? 0,
      sender: event.sender,
      ...(stay === undefined ? {} : { stay }),
    });
  }
  if (placed.size === 0) return;
  const present = new Map<string, MemberDocument>();
  const found = members.find({ _id: { $in: [...placed.keys()] } }, { projection: { _id: 1 } });
  for await (const { _id } of found) {
    const member = placed.get(_id);
    if (member) present.set(_id, member);
  }
  const isWhole = await insertMissing(
    members,
    [...placed.values()].filter(({ _id }) => !present.has(_id)),
  );
  // Somebody else may have made place for one of them meanwhile.
  const moved = isWhole ? present : placed;
  const operations = [...moved.values()].map(
    ({ _id, room_id, user_id, local, stay, ...fields }): BulkOperation<MemberDocument> => ({
      updateOne: {
        filter: { _id, arrival: { $lt: fields.arrival } },
        update: { $set: { ...fields, ...(stay === 0 ? {} : { stay }) } },
      },
    }),
  );
  if (operations.length > 0) await members.bulkWrite(operations, OWED);
}
