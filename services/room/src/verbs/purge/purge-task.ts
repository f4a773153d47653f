import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { NOT_FLUSHED, type Update } from '@steward/store';
import { defineTask, type RunningTask, TaskFailed, type TaskKind, type TaskStep } from '@steward/tasks';
import { countMessagesOf } from '../../core/aggregate/count-messages.ts';
import { announceRemovedMedia } from '../../core/aggregate/media-facts.ts';
import { rooms } from '../../core/aggregate/rooms.ts';
import type { Deps } from '../../core/deps.ts';
import { PURGE_HISTORY, type PurgeParams } from '../../core/model/history-purge.ts';
import { mediaOf } from '../../core/model/media-fields.ts';
import { isMessage } from '../../core/model/messages.ts';
import { BEGINNING, type Position } from '../../core/model/position.ts';
import type { Room } from '../../core/model/room.ts';
import { isPurged, losesLast, nextEvents } from './next-events.ts';

/** The progress of a purge. */
interface Progress {
  /** The position of the last event that was read. */
  readonly position: Position;
  /** The ids of the events being removed. */
  readonly batch: readonly string[];
  /** The content URIs of the media that they show; absent if an earlier version saved the batch. */
  readonly media?: readonly string[];
  /** The size of the events removed so far, including the batch. */
  readonly bytes: number;
  /** How many of them are messages; absent in a purge that an earlier release began. */
  readonly messages?: number;
}

type PurgeTask = RunningTask<PurgeParams, Progress>;

/** Purges the history of rooms (behaviour.md 8.1). */
export function purgeTask(deps: Deps): TaskKind {
  const counting: TaskStep<PurgeParams> = {
    name: 'counting',
    // Then they can be subtracted.
    run: (task) => countMessagesOf(deps, task.key, task.signal),
  };
  const purging: TaskStep<PurgeParams, Progress> = {
    name: 'purging',
    // Cancelling it then would leave events before the horizon, and wrong totals of bytes.
    committed: true,
    run: (task) => purge(deps, task),
  };
  return defineTask<PurgeParams>(PURGE_HISTORY, {
    steps: [counting, purging],
    requires: () => ({ scopes: [Scope.ROOMS_DELETE] }),
  });
}

async function purge(deps: Deps, task: PurgeTask): Promise<void> {
  const { depth, arrival } = task.params();
  // The horizon hides all purged events in one commit; the removal itself changes nothing for readers.
  await change(deps, task, (room) => {
    if (losesLast(room, depth)) {
      throw new TaskFailed('The last messages of a room cannot be purged');
    }
    return (room.horizon?.depth ?? 0) < depth ? { horizon: { depth, arrival } } : undefined;
  });
  const { bytes, messages = 0 } = await removeEvents(deps, task);
  await change(deps, task, (room) => {
    if (room.purged_by === task.id) return undefined;
    const left = room.messages === undefined ? {} : { messages: Math.max(0, room.messages - messages) };
    const changed = { ...left, event_bytes: Math.max(0, room.event_bytes - bytes) };
    return { ...changed, purged_by: task.id };
  });
}

/** Removes the events to purge; returns how much was removed. */
async function removeEvents(deps: Deps, task: PurgeTask): Promise<Pick<Progress, 'bytes' | 'messages'>> {
  const params = task.params();
  for (let { position, batch, media = [], bytes, messages = 0 } = task.cursor() ?? NOTHING; ; ) {
    const chosen = { _id: { $in: batch }, room_id: task.key };
    const [found] = await Promise.all([
      nextEvents(deps, task.key, position, params.depth),
      batch.length > 0 && deps.events.deleteMany(chosen, NOT_FLUSHED),
    ]);
    if (batch.length > 0) await deps.searchEntries.deleteMany(chosen, NOT_FLUSHED);
    await announceRemovedMedia(deps, task, `${position.depth}.${position.arrival}`, media);
    const last = found.at(-1);
    if (!last) return { bytes, messages };
    const purged = found.filter((event) => isPurged(deps, params, event));
    position = { depth: last.depth, arrival: last.arrival ?? 0 };
    batch = purged.map(({ _id }) => _id);
    media = [...new Set(purged.flatMap(mediaOf))];
    bytes += purged.reduce((sum, event) => sum + event.bytes, 0);
    messages += purged.filter(isMessage).length;
    await task.save({
      cursor: { position, batch, media, bytes, messages },
      done: task.done + found.length,
    });
  }
}

const NOTHING: Progress = { position: BEGINNING, batch: [], bytes: 0, messages: 0 };

/** Changes the room; idempotent if `decide` returns `undefined` for a change that was made before. */
async function change(
  deps: Deps,
  task: PurgeTask,
  decide: (room: Room) => Update<Room>['$set'] | undefined,
): Promise<void> {
  const room = await rooms.change(deps, task.key, (current) => {
    task.signal.throwIfAborted();
    const set = decide(current);
    return set && { set };
  });
  if (!room) throw new TaskFailed('The room no longer exists');
}
