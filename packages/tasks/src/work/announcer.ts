import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Outbox, OutgoingEvent, Report } from '@steward/events';
import { type Occurrence, occurrence } from '@steward/feed';
import {
  TaskCancelledSchema,
  TaskCompletedSchema,
  TaskCreatedSchema,
  TaskFailedSchema,
  TaskProgressedSchema,
  TaskStartedSchema,
} from '@steward/proto/steward/feed/v1/tasks_pb.ts';
import { type Collection, NOT_FLUSHED } from '@steward/store';
import { BY_SERVER, type Task, type TaskMilestone } from '../model/task.ts';

/** Stores and publishes facts. */
export interface TaskPublisher {
  readonly outbox: Pick<Outbox, 'add'>;
  readonly relay: { notify(): void };
}

/** What the announcer works with. */
export interface AnnouncerOptions {
  readonly tasks: Collection<Task>;
  readonly publisher: TaskPublisher;
  /** Receives failures; what failed is announced later. */
  readonly report: Report;
}

/** The shortest time between two events about the progress of a task, in milliseconds. */
const PROGRESS_INTERVAL_MS = 1_000;

/** Tasks that a sweep reads at a time. */
const BATCH = 200;

/** Not $exists: an empty list leaves an entry in some engines' indexes, and a bound passes it over. */
const STILL_UNANNOUNCED = { 'unannounced.milestone': { $gte: 'created' } } as const;

/** The order of the events of a task; those about progress have their time. */
const SEQUENCES = { created: 1, started: 2, ended: Number.MAX_SAFE_INTEGER } as const;

/**
 * Makes the events of the feed about tasks. A task names in `unannounced` the events that are still to be made, from the commit that
 * they follow from; an event is made once, however often it is announced.
 */
export class TaskAnnouncer {
  readonly #options: AnnouncerOptions;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /** Announces what a task names as unannounced. Never throws: the sweep announces what failed. */
  async announce(task: Task): Promise<void> {
    const { tasks, publisher, report } = this.#options;
    const milestones = (task.unannounced ?? []).map(({ milestone }) => milestone);
    if (milestones.length === 0) return;
    try {
      // A power failure that loses these writes leaves the names.
      await publisher.outbox.add(
        milestones.map((milestone) => milestoneEvent(task, milestone)),
        NOT_FLUSHED,
      );
      publisher.relay.notify();
      await tasks.updateOne(
        { _id: task._id },
        { $pull: { unannounced: { milestone: { $in: milestones } } } },
        NOT_FLUSHED,
      );
    } catch (error) {
      report('the events of a task were not announced yet', { task: task._id, error });
    }
  }

  /** Announces what crashed processes have left. */
  async sweep(): Promise<void> {
    const { tasks } = this.#options;
    for (;;) {
      const found = await tasks.find(STILL_UNANNOUNCED, { limit: BATCH }).toArray();
      for (const task of found) await this.announce(task);
      if (found.length < BATCH) return;
    }
  }

  /**
   * Returns what announces the progress of a running task: at most once a second, so that the last progress may be announced with
   * the end only.
   */
  progressOf(task: Task): (now: number, done: number, total: number) => Promise<void> {
    const { publisher, report } = this.#options;
    let lastMs = task.started_ts ?? 0;
    let lastDone = task.done;
    return async (now, done, total) => {
      if (done === lastDone || Math.abs(now - lastMs) < PROGRESS_INTERVAL_MS) return;
      lastMs = now;
      lastDone = done;
      const data = { kind: task.kind, done: BigInt(done), ...(total === 0 ? {} : { total: BigInt(total) }) };
      const about = aboutOf(task, `${task.token}.${now}`, now, now);
      try {
        await publisher.outbox.add([occurrence(TaskProgressedSchema, data, about)], NOT_FLUSHED);
        publisher.relay.notify();
      } catch (error) {
        report('the progress of a task was not announced', { task: task._id, error });
      }
    };
  }
}

function milestoneEvent(task: Task, milestone: TaskMilestone): OutgoingEvent {
  const { kind, error = '', created_ts: created, started_ts: started = created } = task;
  if (milestone === 'created')
    return occurrence(TaskCreatedSchema, { kind }, aboutOf(task, milestone, created, SEQUENCES.created));
  if (milestone === 'started')
    return occurrence(TaskStartedSchema, { kind }, aboutOf(task, milestone, started, SEQUENCES.started));
  const about = aboutOf(task, milestone, task.finished_ts ?? started, SEQUENCES.ended);
  const ended = { kind, done: BigInt(task.done) } satisfies MessageInitShape<typeof TaskCompletedSchema>;
  if (task.state === 'complete') return occurrence(TaskCompletedSchema, ended, about);
  return task.state === 'failed'
    ? occurrence(TaskFailedSchema, { ...ended, error }, about)
    : occurrence(TaskCancelledSchema, ended, about);
}

function aboutOf(
  { _id: id, key, kind, requested_by: actor, traceparent = '' }: Task,
  name: string,
  timeMs: number,
  sequence: number,
): Occurrence {
  return {
    id: `task.${id}.${name}`,
    timeMs,
    aggregate: `task ${id}`,
    sequence,
    traceparent,
    requester: actor,
    actor,
    taskId: id,
    // The key of a task that the server creates by itself is its kind.
    targets: actor === BY_SERVER && key === kind ? [id] : [id, key],
  };
}
