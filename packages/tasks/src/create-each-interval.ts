import type { Clock } from '@steward/kernel';
import { BY_SERVER } from './model/task.ts';
import type { Tasks } from './tasks.ts';
import { KEPT_MS } from './work/ending.ts';

/** A task that the server creates by itself, once in each interval. */
export interface IntervalTask {
  /** Its kind, which is also its key. */
  readonly kind: string;
  /** At most as long as an ended task is kept, because it shows that the interval has its task. In milliseconds. */
  readonly intervalMs: number;
  /** JSON. */
  readonly params: unknown;
}

/**
 * Creates the task of the current interval, unless it was created by any instance, or the one of an earlier interval has not ended.
 * Intervals begin at multiples of their length since the Unix epoch; those that passed while no instance ran get no task.
 */
export async function createEachInterval(
  tasks: Pick<Tasks, 'createOnce' | 'find' | 'isAnyOpen'>,
  clock: Clock,
  { kind, intervalMs, params }: IntervalTask,
): Promise<void> {
  if (intervalMs > KEPT_MS) throw new RangeError('An interval is at most as long as tasks are kept');
  const id = `${kind}.${Math.floor(clock.now() / intervalMs)}`;
  if ((await tasks.find(id)) || (await tasks.isAnyOpen(kind, kind))) return;
  // Another instance may be quicker.
  await tasks.createOnce({ id, kind, key: kind, params, requestedBy: BY_SERVER });
}
