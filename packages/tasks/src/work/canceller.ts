import { NotCancellable, TaskCancelled } from '../model/errors.ts';
import { isOpen, type Task } from '../model/task.ts';
import { announceEnd, type TaskContext } from './context.ts';
import { endedWith } from './ending.ts';
import type { TaskRepository } from './repository.ts';

/** Cancels tasks. */
export class TaskCanceller {
  readonly #context: TaskContext;
  readonly #repository: TaskRepository;

  constructor(context: TaskContext, repository: TaskRepository) {
    this.#context = context;
    this.#repository = repository;
  }

  /** See `Tasks.cancel`. */
  async cancel(id: string, by: string): Promise<Task | undefined> {
    const { tasks, kinds, bus, clock, topic } = this.#context;
    for (;;) {
      const task = await this.#repository.find(id);
      if (!task || task.state === 'cancelled') return task;
      if (!isOpen(task)) throw new NotCancellable('The task has ended');
      if (task.cancel !== undefined) return task;
      const { state, step, token, kind, started_ts: startedTs } = task;
      const known = kinds.get(kind);
      const isCommitted = known?.committedSteps?.includes(step) ?? false;
      if (isCommitted) throw new NotCancellable('The task has come too far to be cancelled');
      const isLeased = state === 'active';
      // A task that has begun and is not running runs once more, to compensate.
      const mustCompensate = !isLeased && startedTs !== undefined && known?.compensate !== undefined;
      const now = clock.now();
      const cancelled = await tasks.findOneAndUpdate(
        { _id: id, state, step, token },
        isLeased || mustCompensate
          ? { $set: { cancel: by, ...(mustCompensate ? { due: now } : {}) } }
          : {
              ...endedWith({ state: 'cancelled', error: new TaskCancelled(by).message }, now),
              $inc: { token: 1 },
            },
        { returnDocument: 'after' },
      );
      // The task changed since it was read.
      if (!cancelled) continue;
      if (mustCompensate) bus.notify(topic);
      else if (!isLeased) {
        this.#context.ended.add({ kind, state: 'cancelled' });
        await announceEnd(this.#context, cancelled);
      }
      return cancelled;
    }
  }
}
