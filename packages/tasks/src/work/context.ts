import type { Bus, Report } from '@steward/events';
import type { Clock, Random, Tracing } from '@steward/kernel';
import type { Authority } from '@steward/rpc';
import type { Collection } from '@steward/store';
import type { Counter, Labels } from '@steward/telemetry';
import type { QueueHead, Task, TaskPart } from '../model/task.ts';
import type { TaskAnnouncer } from './announcer.ts';
import type { TaskKind } from './task-kind.ts';

/** What all that deals with the tasks of a service shares. */
export interface TaskContext {
  readonly tasks: Collection<Task>;
  readonly parts: Collection<TaskPart>;
  readonly heads: Collection<QueueHead>;
  /** The kinds of tasks that this instance runs, by name. */
  readonly kinds: ReadonlyMap<string, TaskKind>;
  readonly bus: Pick<Bus, 'notify' | 'onNotification'>;
  /** The topic that notifies the instances of runnable tasks. */
  readonly topic: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  readonly announcer: TaskAnnouncer;
  readonly tracing: Tracing | undefined;
  /** Knows what callers are entitled to now; absent in a service whose tasks require nothing. */
  readonly authority: Pick<Authority, 'rightsOf' | 'scopesOver'> | undefined;
  readonly ended: Counter<Labels<'steward_tasks_ended_total'>>;
  readonly attemptsFailed: Counter<Labels<'steward_tasks_attempts_failed_total'>>;
}

/** The topic that notifies waiters of the end of a task. */
export function endTopic(id: string): string {
  return `task ${id}`;
}

/** Releases the queue of a task that has ended, notifies waiters and instances, and makes the event of its end. */
export async function announceEnd({ heads, bus, topic, announcer }: TaskContext, task: Task): Promise<void> {
  const { _id: id, key } = task;
  // After a crash before this, the next instance that looks at the queue removes the head.
  await heads.deleteOne({ _id: key, task: id });
  bus.notify(endTopic(id));
  bus.notify(topic);
  await announcer.announce(task);
}
