import type { NewEffect } from '@steward/service';
import { type Collection, Conflict, type Doc, NOT_FLUSHED, retryOnConflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { type AdmittedMembers, memberAdmittedBy, membersAdmittedBy } from '../model/admitted-members.ts';
import { isMessage } from '../model/messages.ts';
import type { RoomEffect } from '../model/pending-effects.ts';
import type { Room } from '../model/room.ts';
import type { AppendJob } from '../queues/append-job.ts';
import { BatchFull, RoomView } from '../view/room-view.ts';
import { missing } from './append.ts';
import { commitAtOnce } from './commit-at-once.ts';
import { requireCapacity } from './require-capacity.ts';
import { recheckAdmitted, rooms } from './rooms.ts';

/**
 * The greatest age of events that a commit admits; far below the age at which `sweepUnseen` deletes events, so that no
 * commit admits a deleted event.
 */
const MAX_UNSEEN_AGE_MS = 10 * 60_000;

/** The outcome of a batch. */
interface Decided {
  /** Resolve or reject the jobs; `rechecked` resolves when the admitted members were rechecked. */
  readonly outcomes: readonly ((rechecked?: Promise<void>) => void)[];
  readonly left: readonly AppendJob[];
}

/** Runs the first jobs of a room, as many as fit in one commit; returns the remaining ones. */
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
    // Without a commit the remembered room may be outdated.
    if (outcome?.committed) return outcome;
    const loaded = await rooms.load(deps, roomId);
    if (loaded) return decideOn(deps, loaded, jobs);
    return { decided: { outcomes: jobs.map((job) => () => job.reject(missing(job))), left: [] } };
  }, deps);
  const rechecked = room && admittedMembers && recheckAdmitted(deps, room, admittedMembers);
  for (const outcome of decided.outcomes) outcome(rechecked);
  return decided.left;
}

/** The outcome of a batch with the room that it was committed to. */
interface Outcome {
  readonly decided: Decided;
  /** Whether the batch added any event. */
  readonly committed?: boolean;
  /** The room after the commit. */
  readonly room?: Room;
  readonly admittedMembers?: AdmittedMembers | undefined;
}

async function decideOn(deps: Deps, room: Room, jobs: readonly AppendJob[]): Promise<Outcome> {
  const view = new RoomView(deps, room, { known: deps.memory.stateAt(room) });
  const decided = await decide(view, jobs);
  const committed = view.admitted.length > 0;
  const admittedMembers = membersAdmittedBy(deps, view.admitted);
  const left = committed ? await commitView(deps, room, view, admittedMembers) : room;
  deps.counts.add('messages', view.admitted.filter(({ document }) => isMessage(document)).length);
  deps.memory.keep(left, view.knownState);
  return { decided, committed, room: left, admittedMembers };
}

/** Runs the work of jobs until the commit is full; the events of each job are added as a whole or not at all. */
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

/** Commits the added events, and applies the effects; returns the room after that. */
async function commitView(
  deps: Deps,
  room: Room,
  view: RoomView,
  admittedMembers: AdmittedMembers | undefined,
): Promise<Room> {
  const committedAtOnce = await commitAtOnce(deps, room, view, admittedMembers);
  if (committedAtOnce) return committedAtOnce;
  const effects = effectsOf(view, admittedMembers);
  requireCapacity(room, effects.length);
  await insertUnseen(deps, view);
  const committed = await rooms.commit(deps, room, { set: view.changes() }, effects);
  return rooms.applyPending(deps, committed, { events: view.documents().events });
}

/**
 * Inserts the added events, which are not visible to readers before the commit.
 *
 * @throws Conflict on `version` when the insertion took so long that the batch must be decided again
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

/** Inserts the documents that do not exist; an existing one was inserted by another instance or a crashed run. */
async function insertMissing<T extends Doc>(
  collection: Collection<T>,
  documents: readonly T[],
): Promise<void> {
  if (documents.length === 0) return;
  await collection.insertMany(documents, { ...NOT_FLUSHED, ordered: false }).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
  });
}

/** The effects of a commit that admits the added events. */
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
