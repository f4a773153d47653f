import { isDeepStrictEqual } from 'node:util';
import { randomId } from '@steward/kernel';
import type { ImportEventsRequest } from '@steward/proto/steward/room/v1/import_pb.ts';
import { checkBatch, type DecisionAlong, type ImportProblem, type LoadedBatch } from '@steward/service';
import { Conflict, NOT_FLUSHED, retryOnConflict } from '@steward/store';
import { eventsRelatedTo, relationMarkOf } from '../core/aggregate/mark-related.ts';
import { rooms } from '../core/aggregate/rooms.ts';
import type { Deps } from '../core/deps.ts';
import type { EventDocument } from '../core/model/event-document.ts';
import type { ImportDocument, Imported } from '../core/model/import-document.ts';
import {
  hasIntervals,
  isAdmitted,
  memberDocumentsOf,
  stateIntervalsOf,
} from '../core/model/imported-documents.ts';
import { memberId } from '../core/model/member.ts';
import type { AdmittedImport } from '../core/model/pending-effects.ts';
import type { Room } from '../core/model/room.ts';
import { stateKeyOf } from '../core/model/room-memory.ts';
import { CURRENT } from '../core/model/state-document.ts';
import { roomTopic } from '../core/model/topics.ts';
import { readingVersion, redactedIdOf } from '../core/protocol/mod.ts';
import { loadEvents } from '../core/reading/load-events.ts';
import { ImportPlan, type KnownRoom } from './plan-import.ts';
import { type EventRecord, readEvent } from './read-event.ts';

/**
 * The greatest age of an import document that a commit admits; far below the age at which `sweepImports` deletes it.
 */
const MAX_UNADMITTED_AGE_MS = 10 * 60_000;

/** A record, and its index in the request. */
interface Line {
  readonly index: number;
  readonly record: EventRecord;
}

/** The outcome for the events of one room. */
interface LoadedEvents {
  readonly loaded: number;
  readonly problems: readonly ImportProblem[];
}

/** Imports events, or checks them. One commit admits all events of a room, so that readers see all of them or none. */
export async function importEvents(
  deps: Deps,
  { events, checkOnly }: ImportEventsRequest,
): Promise<LoadedBatch> {
  checkBatch(events);
  const problems: ImportProblem[] = [];
  const linesOf = new Map<string, Line[]>();
  for (const [index, text] of events.entries()) {
    try {
      const record = readEvent(text);
      const lines = linesOf.get(record.roomId) ?? [];
      linesOf.set(record.roomId, lines);
      lines.push({ index, record });
    } catch (error) {
      problems.push({ index, problem: (error as Error).message });
    }
  }
  const load = checkOnly ? checkForRoom : importIntoRoom;
  const outcomes = await Promise.all(
    [...linesOf].map(([roomId, lines]) => retryOnConflict(() => load(deps, roomId, lines), deps)),
  );
  let loaded = 0;
  for (const outcome of outcomes) {
    loaded += outcome.loaded;
    problems.push(...outcome.problems);
  }
  return { loaded, skipped: events.length - loaded - problems.length, problems };
}

/** @throws Conflict on `version` when others were quicker */
async function importIntoRoom(deps: Deps, roomId: string, lines: readonly Line[]): Promise<LoadedEvents> {
  const room = await rooms.load(deps, roomId);
  if (!room) return withoutRoom(roomId, lines);
  if (room.arrival === 0) {
    // As far as the room knows they are all new, and one that another room has is in the way when they are inserted.
    const known = await readKnown(deps, room, lines);
    const loaded = await admitWithDocuments(deps, room, () => planOf(known, lines));
    if (loaded) return loaded;
  }
  // Queried after loading the room, so that the commit fails if another import adds the same events in between.
  const existing = await findExisting(deps, lines);
  const fresh = lines.filter(({ record }) => !existing.has(record.eventId));
  const elsewhere: ImportProblem[] = [];
  for (const { index, record } of lines) {
    const other = existing.get(record.eventId)?.room_id;
    if (other !== undefined && other !== roomId) {
      elsewhere.push({ index, problem: `${record.eventId} is an event of another room` });
    }
  }
  const redacted = lines.filter(({ record }) => isRedactedSince(record, existing.get(record.eventId)));
  const ranged = lines.filter(({ record }) => isRangedSince(record, existing.get(record.eventId)));
  if (fresh.length + redacted.length + ranged.length === 0) return { loaded: 0, problems: elsewhere };
  const { plan, problems } = planOf(await readKnown(deps, room, fresh, redacted), fresh, {
    redacted,
    ranged,
  });
  const changed = new Set([
    ...plan.redactions.map(({ redacts }) => redacts),
    ...plan.ranges.map(({ _id }) => _id),
  ]);
  const loaded = plan.documents.size + changed.size;
  if (loaded > 0) await admit(deps, room, { plan, problems });
  return { loaded, problems: [...elsewhere, ...problems] };
}

/** Whether an event has been redacted since it was loaded. */
function isRedactedSince({ roomId, stored }: EventRecord, existing: Existing | undefined): boolean {
  return (
    stored.redacted_by !== undefined && existing?.room_id === roomId && existing.redacted_by === undefined
  );
}

/** Whether the ranges of a state event have changed since it was loaded. */
function isRangedSince({ roomId, stored }: EventRecord, existing: Existing | undefined): boolean {
  if (stored.in_state === undefined || existing?.room_id !== roomId) return false;
  return (
    stored.replaces_in_branch !== existing.replaces_in_branch ||
    !isDeepStrictEqual(stored.in_state, existing.in_state)
  );
}

function withoutRoom(roomId: string, lines: readonly Line[]): LoadedEvents {
  return {
    loaded: 0,
    problems: lines.map(({ index }) => ({ index, problem: `there is no room ${roomId}` })),
  };
}

/** Reports the events that cannot be stored, as if the room had none. */
async function checkForRoom(deps: Deps, roomId: string, lines: readonly Line[]): Promise<LoadedEvents> {
  const room = await rooms.load(deps, roomId);
  if (!room) return withoutRoom(roomId, lines);
  const known = { room, serverName: deps.serverName };
  const none = { current: new Map(), memberships: new Map(), redacted: new Map() };
  return { loaded: 0, problems: planOf({ ...known, ...none }, lines).problems };
}

/** The admission of events, and the ones that cannot be stored. */
interface Planned {
  readonly plan: ImportPlan;
  readonly problems: readonly ImportProblem[];
}

/** Records of existing events that change them. */
interface Changed {
  readonly redacted: readonly Line[];
  readonly ranged: readonly Line[];
}

/** Plans the admission of events, and reports the ones that cannot be stored; and the changes of existing ones. */
function planOf(
  known: KnownRoom,
  lines: readonly Line[],
  { redacted, ranged }: Changed = { redacted: [], ranged: [] },
): Planned {
  const plan = new ImportPlan(known);
  const problems: ImportProblem[] = [];
  for (const { index, record } of lines) {
    if (plan.documents.has(record.eventId)) continue;
    try {
      plan.add(record);
    } catch (error) {
      problems.push({ index, problem: (error as Error).message });
    }
  }
  for (const { record } of redacted) plan.redact(record);
  for (const { index, record } of ranged) {
    try {
      plan.range(record);
    } catch (error) {
      problems.push({ index, problem: (error as Error).message });
    }
  }
  return { plan, problems };
}

/** What of an existing event decides what its record changes. */
type Existing = Pick<EventDocument, 'room_id' | 'redacted_by' | 'in_state' | 'replaces_in_branch'>;

/** The existing events, by event id. */
async function findExisting(
  { events }: Pick<Deps, 'events'>,
  lines: readonly Line[],
): Promise<ReadonlyMap<string, Existing>> {
  const ids = lines.map(({ record }) => record.eventId);
  const existing = new Map<string, Existing>();
  const found = events.find(
    { _id: { $in: ids } },
    { projection: { room_id: 1, redacted_by: 1, in_state: 1, replaces_in_branch: 1 } },
  );
  for await (const event of found) existing.set(event._id, event);
  return existing;
}

async function readKnown(
  deps: Deps,
  room: Room,
  lines: readonly Line[],
  redactedSince: readonly Line[] = [],
): Promise<KnownRoom> {
  const current = new Map<string, string>();
  const memberships = new Map<string, string>();
  const known = { room, serverName: deps.serverName, current, memberships };
  // A room without events has neither state nor members.
  if (room.arrival === 0) return { ...known, redacted: new Map() };
  const types = new Set<string>();
  const stateKeys = new Set<string>();
  const members = new Set<string>();
  const targets = new Set(redactedSince.map(({ record }) => record.eventId));
  for (const { event } of lines.map(({ record }) => record)) {
    if (event.type === 'm.room.redaction') {
      const target = redactedIdOf(event, readingVersion(room.room_version));
      if (target !== undefined) targets.add(target);
    }
    if (event.state_key === undefined) continue;
    if (event.type === 'm.room.member') {
      members.add(memberId(room._id, event.state_key));
    } else {
      types.add(event.type);
      stateKeys.add(event.state_key);
    }
  }
  const redacted = await loadEvents(deps, [...targets]);
  for (const { type, state_key: stateKey } of redacted) {
    if (stateKey === undefined) continue;
    if (type === 'm.room.member') {
      members.add(memberId(room._id, stateKey));
    } else {
      types.add(type);
      stateKeys.add(stateKey);
    }
  }
  const keys = { type: { $in: [...types] }, state_key: { $in: [...stateKeys] } };
  if (types.size > 0) {
    for await (const state of deps.states.find({ room_id: room._id, until: CURRENT, ...keys })) {
      current.set(stateKeyOf(state.type, state.state_key), state._id);
    }
  }
  if (members.size > 0) {
    for await (const member of deps.members.find({ _id: { $in: [...members] }, arrival: { $gt: 0 } })) {
      memberships.set(member.user_id, member.membership);
      current.set(stateKeyOf('m.room.member', member.user_id), member.event_id);
    }
  }
  return { ...known, redacted: new Map(redacted.map((event) => [event._id, event])) };
}

/**
 * Admits events. Not flushed, because closing the store at the end of the import makes everything durable, and an
 * import that a power failure interrupts is repeated.
 */
async function admit(deps: Deps, room: Room, planned: Planned): Promise<void> {
  if (await admitWithDocuments(deps, room, () => planned)) return;
  const { plan } = planned;
  const events = [...plan.documents.values()];
  const { redactions, ranges } = plan;
  const effect: AdmittedImport = { id: randomId(deps.random), kind: 'import' };
  const start = deps.clock.now();
  const document: ImportDocument = {
    _id: effect.id,
    room_id: room._id,
    created_ts: start,
    events: JSON.stringify(events),
    ...(redactions.length > 0 ? { redactions: JSON.stringify(redactions) } : {}),
    ...(ranges.length > 0 ? { ranges: JSON.stringify(ranges) } : {}),
  };
  const content: Imported = { created_ts: start, events, redactions, ranges };
  await deps.imports.insertOne(document, NOT_FLUSHED);
  if (deps.clock.now() - start > MAX_UNADMITTED_AGE_MS) throw new Conflict('version');
  const committed = await rooms.commit(deps, room, { set: plan.changes() }, [effect], NOT_FLUSHED);
  await rooms.applyPending(deps, committed, { imports: new Map([[effect.id, content]]) });
}

/**
 * Admits events with one commit that also inserts their documents, if the engine can do that, the events change no
 * existing documents, and none of their documents exists.
 *
 * @param planned called only where the engine can
 * @returns what was loaded; `undefined` if the events were not admitted
 */
async function admitWithDocuments(
  deps: Deps,
  room: Room,
  planned: () => Planned,
): Promise<LoadedEvents | undefined> {
  const decide = async (): Promise<DecisionAlong<Room, AdmittedImport, LoadedEvents> | undefined> => {
    const { plan, problems } = planned();
    const events = [...plan.documents.values()];
    const admitted = events.filter(isAdmitted);
    const { opened, closed } = stateIntervalsOf(events.filter(hasIntervals));
    const redacts = plan.redactions.length > 0 || admitted.some((event) => event.redacts !== undefined);
    const changesOthers = closed.length > 0 || redacts;
    if (events.length === 0 || changesOthers) return undefined;
    const relating = [...admitted, ...(await eventsRelatedTo(deps, admitted))];
    const marks = relating.flatMap((event) => relationMarkOf(event, event.arrival ?? 0));
    const along = [
      deps.events.insertion(events),
      ...(marks.length > 0 ? [deps.events.alteration(marks)] : []),
      deps.states.insertion(opened),
      deps.members.insertion(memberDocumentsOf(admitted, deps.serverName)),
    ];
    return { set: plan.changes(), along, result: { loaded: events.length, problems } };
  };
  try {
    const committed = await rooms.commitAlong(deps, room, decide, NOT_FLUSHED);
    if (committed) deps.bus.notify(roomTopic(room._id));
    return committed?.result;
  } catch (error) {
    if (error instanceof Conflict && error.index !== 'version') return undefined;
    throw error;
  }
}
