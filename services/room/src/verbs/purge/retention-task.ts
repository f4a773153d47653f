import {
  BY_SERVER,
  createEachInterval,
  defineTask,
  type RunningTask,
  type TaskKind,
  type TaskStep,
} from '@steward/tasks';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import type { Position } from '../../core/model/position.ts';
import type { Room } from '../../core/model/room.ts';
import { beginPurge } from './begin-purge.ts';
import { nextEvents } from './next-events.ts';

/** The name of tasks that purge old messages, as the settings say. */
export const MESSAGE_RETENTION = 'room.retention';

/** The rooms whose histories are purged before the next ones are looked at. */
const BATCH = 16;

/** More than the clocks of machines differ, in milliseconds. */
const MAX_CLOCK_DIFFERENCE_MS = 24 * 60 * 60_000;

/** The parameters of a task. */
interface Params {
  /** The time from which the ages are counted, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The id of the last room that was looked at. */
interface Progress {
  readonly after: string;
}

/** Purges messages that are too old, once in an interval: it orders the purge of each room, and waits for its end. */
export function messageRetentionTask(deps: Deps): TaskKind {
  const purging: TaskStep<Params, Progress> = { name: 'purging', run: (task) => run(deps, task) };
  return defineTask<Params>(MESSAGE_RETENTION, { steps: [purging] });
}

/** Creates the task of the current interval. */
export async function scheduleMessageRetention({
  tasks,
  clock,
  settings,
}: Pick<Deps, 'tasks' | 'clock' | 'settings'>): Promise<void> {
  const { maxAgeMs, rooms, intervalMs } = settings.retention;
  if (maxAgeMs === undefined && !Object.values(rooms).some((age) => age !== 'forever')) return;
  const params: Params = { now: clock.now() };
  await createEachInterval(tasks, clock, { kind: MESSAGE_RETENTION, intervalMs, params });
}

async function run(deps: Deps, task: RunningTask<Params, Progress>): Promise<void> {
  const { maxAgeMs, rooms } = deps.settings.retention;
  const { now } = task.params();
  // Without an age for all rooms only those are read that have one of their own.
  const named = maxAgeMs === undefined ? { $in: Object.keys(rooms) } : {};
  for (let { after } = task.cursor() ?? { after: '' }; ; ) {
    const some = await deps.rooms
      .find({ _id: { ...named, $gt: after } }, { sort: { _id: 1 }, limit: BATCH, projection: { _id: 1 } })
      .toArray();
    const last = some.at(-1);
    if (!last) return;
    const begun = await Promise.all(
      some.map(({ _id }) => {
        const age = rooms[_id] ?? maxAgeMs;
        if (age === undefined || age === 'forever') return undefined;
        return purgeBefore(deps, _id, now - age, task.signal);
      }),
    );
    const purges = begun.filter((id) => id !== undefined);
    for (const id of purges) await waitFor(deps, id, task.signal);
    after = last._id;
    await task.save({ cursor: { after }, done: task.done + some.length });
  }
}

/** Waits for the end of a purge. One that fails, because its room is being deleted, has nothing left to do. */
async function waitFor({ tasks }: Deps, id: string, signal: AbortSignal): Promise<void> {
  const ended = await tasks.ended(id, signal);
  // Another attempt, perhaps of another instance, goes on with these rooms.
  if (!ended && (await tasks.find(id))) throw new Error('The process no longer waits for purges');
}

/**
 * Begins to purge the messages of a room that it received before a time, except its newest event; unless an earlier purge
 * went as far.
 *
 * @returns the id of the task
 */
async function purgeBefore(
  deps: Deps,
  roomId: string,
  ts: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  // With every event that was admitted before: one that appears later is deeper.
  const room = await loadRoom(deps, roomId);
  // Of the events that users see.
  const newest = room?.extremities.at(-1);
  const purged = Math.max(room?.horizon?.depth ?? 0, 1);
  if (!room || !newest || newest.depth <= purged) return undefined;
  const boundary = (await shallowestSince(deps, room, newest.depth, ts, signal)) ?? newest;
  const { depth, arrival } = boundary;
  if (depth <= purged) return undefined;
  return (await beginPurge(deps, { room_id: roomId, depth, arrival }, true, BY_SERVER)).purgeId;
}

/**
 * The event of the least depth, among those that no purge has reached, that the room received at or after a time. Imported
 * events arrive in any order of their depths and times, so every event before it is read; those are the ones to purge.
 *
 * @param end only events below this depth are searched
 */
async function shallowestSince(
  deps: Deps,
  { _id, horizon }: Room,
  end: number,
  ts: number,
  signal: AbortSignal,
): Promise<EventDocument | undefined> {
  // Nothing can have been received in the future: such a time is that of a sender's server, and tells nothing.
  const latest = deps.clock.now() + MAX_CLOCK_DIFFERENCE_MS;
  for (let position: Position = { depth: horizon?.depth ?? 0, arrival: 0 }; ; ) {
    signal.throwIfAborted();
    const some = await nextEvents(deps, _id, position, end);
    const last = some.at(-1);
    const since = some.find(({ received_ts }) => received_ts >= ts && received_ts <= latest);
    if (since || !last) return since;
    position = { depth: last.depth, arrival: last.arrival ?? 0 };
  }
}
