import { isOpen, type Task } from '../model/task.ts';
import { endTopic, type TaskContext } from './context.ts';
import type { TaskRepository } from './repository.ts';

/** How often a waiter reads the task without a notification, because notifications can be lost. */
const POLL_INTERVAL_MS = 1_000;

/** Waits for the end of tasks. */
export class TaskWaiter {
  readonly #bus: TaskContext['bus'];
  readonly #repository: TaskRepository;
  readonly #waiting = new Set<() => void>();
  #drained = false;

  constructor({ bus }: TaskContext, repository: TaskRepository) {
    this.#bus = bus;
    this.#repository = repository;
  }

  /** See `Tasks.ended`. */
  async ended(id: string, signal: AbortSignal): Promise<Task | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const notification = this.#notification(endTopic(id), signal);
      try {
        const task = await this.#repository.find(id);
        if (!task || !isOpen(task)) return task;
        if (this.#drained) return undefined;
        await notification.promise;
      } finally {
        notification.cancel();
      }
    }
  }

  /** Answers all waiters, and lets none wait from now on. */
  drain(): void {
    this.#drained = true;
    for (const stop of [...this.#waiting]) stop();
  }

  /** The next notification of a topic, from now on. */
  #notification(topic: string, signal: AbortSignal): { readonly promise: Promise<void>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const unsubscribe = this.#bus.onNotification(topic, resolve);
    const timer = setTimeout(resolve, POLL_INTERVAL_MS);
    const stop = () => resolve();
    signal.addEventListener('abort', stop);
    this.#waiting.add(stop);
    return {
      promise,
      cancel: () => {
        unsubscribe();
        this.#waiting.delete(stop);
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      },
    };
  }
}
