/** A change of a room that waits in a queue. */
export interface Job {
  /** Called if the change fails. */
  reject(error: unknown): void;
}

/** Runs the first jobs, as many as fit in one commit; returns the others, in order. */
export type RunBatch<J extends Job> = (roomId: string, jobs: readonly J[]) => Promise<readonly J[]>;

/**
 * Holds a queue for each room, which runs one batch at a time: jobs that are added while a batch runs form the next
 * one. Concurrent writers of a room thus share commits instead of competing for them.
 */
export class RoomQueues<J extends Job = Job> {
  readonly #run: RunBatch<J>;
  readonly #waiting = new Map<string, J[]>();
  readonly #running = new Set<Promise<void>>();

  constructor(run: RunBatch<J>) {
    this.#run = run;
  }

  /** Adds a job to the queue of its room. */
  add(roomId: string, job: J): void {
    const waiting = this.#waiting.get(roomId);
    if (waiting) {
      waiting.push(job);
      return;
    }
    this.#waiting.set(roomId, [job]);
    const running = this.#work(roomId).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when every job that was added has run or was rejected. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #work(roomId: string): Promise<void> {
    // Jobs that are added in the same tick share the first batch.
    await Promise.resolve();
    for (;;) {
      const jobs = this.#waiting.get(roomId) ?? [];
      if (jobs.length === 0) break;
      this.#waiting.set(roomId, []);
      try {
        const left = await this.#run(roomId, jobs);
        this.#waiting.get(roomId)?.unshift(...left);
      } catch (error) {
        for (const job of jobs) job.reject(error);
      }
    }
    this.#waiting.delete(roomId);
  }
}
