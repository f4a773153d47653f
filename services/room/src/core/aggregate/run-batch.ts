import { MAX_PENDING_EFFECTS, type NewEffect } from '@steward/service';
import { type Collection, Conflict, type Doc, NOT_FLUSHED, retryOnConflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { type AdmittedMembers, memberAdmittedBy, membersAdmittedBy } from '../model/admitted-members.ts';
import type { RoomEffect } from '../model/pending-effects.ts';
import type { Room } from '../model/room.ts';
import { roomTopic } from '../model/topics.ts';
import type { AppendJob } from '../queues/append-job.ts';
import { type Admitted, BatchFull, RoomView } from '../view/room-view.ts';
import { missing } from './append.ts';
import { recheckAdmitted, rooms } from './rooms.ts';

/**
 * How old events may be that a commit admits; far below the age at which those that were never admitted are
 * swept, so that nothing is admitted that was swept.
 */
const MAX_UNSEEN_AGE_MS = 10 * 60_000;

/** The outcome of a batch. */
interface Decided {
  /** Answer the jobs; `rechecked` resolves when the members whom the commit admitted were rechecked. */
  readonly outcomes: readonly ((rechecked?: Promise<void>) => void)[];
  readonly left: readonly AppendJob[];
}

/** Runs the jobs of a room, as many as one commit can admit; returns the rest. */
export async function runBatch(
  deps: Deps,
  roomId: string,
  jobs: readonly AppendJob[],
): Promise<readonly AppendJob[]> {
  let remembered = deps.capabilities.soleWriter ? deps.memory.recall(roomId) : undefined;
  const { decided, room, admittedMembers } = await retryOnConflict(async (): Promise<Outcome> => {
    const recalled = remembered;
    remembered = undefined;
    const outcome = recalled && (await decideOn(deps, recalled, jobs));
    // Only a commit proves that the room was still as it is remembered.
    if (outcome?.committed) return outcome;
    const loaded = await rooms.load(deps, roomId);
    if (loaded) return decideOn(deps, loaded, jobs);
    return { decided: { outcomes: jobs.map((job) => () => job.reject(missing(job))), left: [] } };
  }, deps);
  const rechecked = room && admittedMembers && recheckAdmitted(deps, room, admittedMembers);
  for (const outcome of decided.outcomes) outcome(rechecked);
  return decided.left;
}

/** What was decided on a room, and committed. */
interface Outcome {
  readonly decided: Decided;
  /** Whether anything was added. */
  readonly committed?: boolean;
  /** The room as it is then. */
  readonly room?: Room;
  readonly admittedMembers?: AdmittedMembers | undefined;
}

async function decideOn(deps: Deps, room: Room, jobs: readonly AppendJob[]): Promise<Outcome> {
  const view = new RoomView(deps, room, { known: deps.memory.stateAt(room) });
  const decided = await decide(view, jobs);
  const committed = view.admitted.length > 0;
  const admittedMembers = membersAdmittedBy(deps, view.admitted);
  const left = committed ? await commitView(deps, room, view, admittedMembers) : room;
  deps.memory.keep(left, view.knownState);
  return { decided, committed, room: left, admittedMembers };
}

/** Runs the work of jobs, each wholly or not at all, until no more fits. */
async function decide(view: RoomView, jobs: readonly AppendJob[]): Promise<Decided> {
  const outcomes: Decided['outcomes'][number][] = [];
  for (const [index, job] of jobs.entries()) {
    const mark = view.begin(job.options.traceparent ?? '');
    try {
      const value = await job.work(view);
      const added = view.admitted.slice(mark.admitted);
      const publishes = added.some(({ document }) => document.previous_membership !== undefined);
      const admits = added.some(({ document }) => memberAdmittedBy(document) !== undefined);
      outcomes.push((rechecked) =>
        job.resolve({ value, publishes, rechecked: admits ? rechecked : undefined }),
      );
    } catch (error) {
      view.reset(mark);
      if (error instanceof BatchFull && view.admitted.length > 0)
        return { outcomes, left: jobs.slice(index) };
      outcomes.push(() => job.reject(error));
    }
  }
  return { outcomes, left: [] };
}

/** Commits what was added, and applies the effects; returns the room as it is then. */
async function commitView(
  deps: Deps,
  room: Room,
  view: RoomView,
  admittedMembers: AdmittedMembers | undefined,
): Promise<Room> {
  const committedAtOnce = await commitAtOnce(deps, room, view);
  if (committedAtOnce) return committedAtOnce;
  const { pending = [] } = room;
  const effects = effectsOf(view, admittedMembers);
  // Many members are still being rechecked, which soon ends.
  if (pending.length + effects.length > MAX_PENDING_EFFECTS) throw new Conflict('version');
  await insertUnseen(deps, view);
  const committed = await rooms.commit(deps, room, { set: view.changes() }, effects);
  return rooms.applyPending(deps, committed, { events: view.documents().events });
}

/** Commits what was added where the engine inserts it in the same step, and it has no further effects. */
async function commitAtOnce(deps: Deps, room: Room, view: RoomView): Promise<Room | undefined> {
  if (!deps.capabilities.insertsAlongCommit) return undefined;
  const changesNothingElse = ({ document }: Admitted) =>
    document.state_key === undefined && document.redacts === undefined;
  if (!view.admitted.every(changesNothingElse)) return undefined;
  const seen = view.admitted.map(({ document: { unseen_since, ...event }, arrival }) => ({
    ...event,
    arrival,
  }));
  const insertion = deps.events.insertion(seen);
  const committed = await rooms.commit(deps, room, { set: view.changes() }, [], { along: [insertion] });
  deps.bus.notify(roomTopic(room._id));
  return committed;
}

/**
 * Inserts what was added, where no reader sees it yet.
 *
 * @throws Conflict on `version` when that took so long that the batch must be decided anew
 */
export async function insertUnseen(deps: Deps, view: RoomView): Promise<void> {
  const start = deps.clock.now();
  const { events, states, members } = view.documents();
  await Promise.all([
    insertMissing(deps.events, events),
    insertMissing(deps.states, states),
    insertMissing(deps.members, members),
  ]);
  if (deps.clock.now() - start > MAX_UNSEEN_AGE_MS) throw new Conflict('version');
}

/** A document that exists already is the same one, of another instance or of a run that crashed. */
async function insertMissing<T extends Doc>(
  collection: Collection<T>,
  documents: readonly T[],
): Promise<void> {
  if (documents.length === 0) return;
  await collection.insertMany(documents, { ...NOT_FLUSHED, ordered: false }).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
  });
}

/** The effects of a commit that admits what was added. */
export function effectsOf(
  view: RoomView,
  admittedMembers: AdmittedMembers | undefined,
): readonly NewEffect<RoomEffect>[] {
  const events = view.admitted.map(
    ({ event, arrival, traceparent }): NewEffect<RoomEffect> => ({
      kind: 'event',
      event_id: event.eventId,
      arrival,
      traceparent,
    }),
  );
  return admittedMembers ? [...events, admittedMembers.recheck] : events;
}
