/** Something that is to happen in a room, and whoever waits for it. */
export interface Job {
  /** Told that it is not to happen. */
  reject(error: unknown): void;
}

/** Makes as many of the jobs happen as fit together; returns those that did not fit, in order. */
export type RunBatch<J extends Job> = (roomId: string, jobs: readonly J[]) => Promise<readonly J[]>;

/**
 * What is to happen in each room, one batch at a time: what is asked for while one runs is the next. So
 * many writers of one room share its commits, and do not stand in each other's way.
 */
export class RoomQueues<J extends Job = Job> {
  readonly #run: RunBatch<J>;
  readonly #waiting = new Map<string, J[]>();
  readonly #running = new Set<Promise<void>>();

  constructor(run: RunBatch<J>) {
    this.#run = run;
  }

  /** Puts a job behind those of its room. */
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

  /** Resolves when everything that was added has been dealt with. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #work(roomId: string): Promise<void> {
    // Those of the same tick share the first batch.
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
