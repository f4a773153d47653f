import { randomId } from '@steward/kernel';
import { type Collection, Conflict, commit, type Doc, MAX_OWED, retryOnConflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { type Newcomers, newcomerOf, newcomersAmong } from '../model/admitted-members.ts';
import { type AdmittedEvent, type LookOwed, OWED } from '../model/pending-effects.ts';
import type { Room } from '../model/room.ts';
import { roomTopic } from '../model/topics.ts';
import type { AppendJob } from '../queues/append-job.ts';
import { type Admitted, BatchFull, RoomView } from '../view/room-view.ts';
import { missing } from './append.ts';
import { settleRoom } from './apply-pending.ts';
import { loadRoom } from './load-room.ts';
import { lookAtNewcomers } from './recheck-admitted-members.ts';

/** How long a batch is decided anew when other instances change the same room meanwhile. */
const CONFLICT_DEADLINE_MS = 20_000;

/**
 * How old events may be that a commit admits; far below the age at which those that were never admitted are
 * swept, so that nothing is admitted that was swept.
 */
const MAX_UNSEEN_AGE_MS = 10 * 60_000;

/** What a batch came to. */
interface Decided {
  /** Tell those who wait, and when newcomers have been looked at. */
  readonly outcomes: readonly ((looked?: Promise<void>) => void)[];
  readonly left: readonly AppendJob[];
}

/** Runs what waits for a room, as much of it as one commit can admit; returns the rest. */
export async function runBatch(
  deps: Deps,
  roomId: string,
  jobs: readonly AppendJob[],
): Promise<readonly AppendJob[]> {
  const retry = {
    deadlineMs: deps.clock.now() + CONFLICT_DEADLINE_MS,
    clock: deps.clock,
    random: deps.random,
  };
  let remembered = deps.settings.embeddedStore ? deps.memory.recall(roomId) : undefined;
  const { decided, newcomers } = await retryOnConflict(async () => {
    const recalled = remembered;
    remembered = undefined;
    const outcome = recalled && (await decideOn(deps, recalled, jobs));
    // Nothing but a commit shows that the room was still as it is remembered.
    if (outcome?.committed) return outcome;
    const room = await loadRoom(deps, roomId);
    if (room) return decideOn(deps, room, jobs);
    return { decided: { outcomes: jobs.map((job) => () => job.reject(missing(job))), left: [] } };
  }, retry);
  const looked = newcomers && lookAtNewcomers(deps, roomId, newcomers);
  for (const outcome of decided.outcomes) outcome(looked);
  return decided.left;
}

/** What was decided on a room, and committed. */
interface Outcome {
  readonly decided: Decided;
  /** Whether anything was added. */
  readonly committed?: boolean;
  /** Those who were let in. */
  readonly newcomers?: Newcomers | undefined;
}

async function decideOn(deps: Deps, room: Room, jobs: readonly AppendJob[]): Promise<Outcome> {
  const view = new RoomView(deps, room, { known: deps.memory.stateAt(room) });
  const decided = await decide(view, jobs);
  const committed = view.admitted.length > 0;
  const newcomers = newcomersAmong(deps, view.admitted);
  deps.memory.keep(committed ? await commitView(deps, room, view, newcomers) : room, view.knownState);
  return { decided, committed, newcomers };
}

/** Runs the work of jobs, each wholly or not at all, until no more fits. */
async function decide(view: RoomView, jobs: readonly AppendJob[]): Promise<Decided> {
  const outcomes: Decided['outcomes'][number][] = [];
  for (const [index, job] of jobs.entries()) {
    const mark = view.begin(job.options.traceparent ?? '');
    try {
      const value = await job.work(view);
      const added = view.admitted.slice(mark.admitted);
      const told = added.some(({ document }) => document.previous_membership !== undefined);
      const letsIn = added.some(({ document }) => newcomerOf(document) !== undefined);
      outcomes.push((looked) => job.resolve({ value, told, looked: letsIn ? looked : undefined }));
    } catch (error) {
      view.reset(mark);
      if (error instanceof BatchFull && view.admitted.length > 0)
        return { outcomes, left: jobs.slice(index) };
      outcomes.push(() => job.reject(error));
    }
  }
  return { outcomes, left: [] };
}

/** Commits what was added, and does what that owes; returns the room as it is then. */
async function commitView(
  deps: Deps,
  room: Room,
  view: RoomView,
  newcomers: Newcomers | undefined,
): Promise<Room> {
  const committedAtOnce = await commitAtOnce(deps, room, view);
  if (committedAtOnce) return committedAtOnce;
  const { pending = [] } = room;
  const owed = owedFor(deps, view, newcomers);
  // Many who came before are still being looked at, which soon has an end.
  if (pending.length + owed.length > MAX_OWED) throw new Conflict('version');
  await insertUnseen(deps, view);
  const committed = await commit(deps.rooms, room, { set: view.changes() }, owed);
  return settleRoom(deps, committed, { events: view.documents().events });
}

/** Commits what was added where the engine can insert it in the same step, and nothing else follows from it. */
async function commitAtOnce(deps: Deps, room: Room, view: RoomView): Promise<Room | undefined> {
  const changesNothingElse = ({ document }: Admitted) =>
    document.state_key === undefined && document.redacts === undefined;
  if (!view.admitted.every(changesNothingElse)) return undefined;
  const seen = view.admitted.map(({ document: { unseen_since, ...event }, arrival }) => ({
    ...event,
    arrival,
  }));
  const insertion = deps.events.insertion?.(seen);
  if (!insertion) return undefined;
  const committed = await commit(deps.rooms, room, { set: view.changes() }, [], { along: [insertion] });
  deps.bus.wake(roomTopic(room._id));
  return committed;
}

/**
 * Inserts what was added, where nobody sees it yet.
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

/** One that is there already is the same: another instance, or a run that died, was about to do the same. */
async function insertMissing<T extends Doc>(
  collection: Collection<T>,
  documents: readonly T[],
): Promise<void> {
  if (documents.length === 0) return;
  await collection.insertMany(documents, { ...OWED, ordered: false }).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
  });
}

/** The references by which a commit admits what was added, and by which newcomers are looked at. */
export function owedFor(
  deps: Deps,
  view: RoomView,
  newcomers: Newcomers | undefined,
): readonly (AdmittedEvent | LookOwed)[] {
  const events = view.admitted.map(
    ({ event, arrival, traceparent }): AdmittedEvent => ({
      id: randomId(deps.random),
      kind: 'event',
      event_id: event.eventId,
      arrival,
      traceparent,
    }),
  );
  return newcomers ? [...events, newcomers.owed] : events;
}
