import type { Report } from '@steward/events';
import type { Clock } from '@steward/kernel';
import type { OpenedCollection } from '@steward/service';
import type { media } from './model/media.ts';

/** The interval at which accesses are written, in milliseconds; client-plane.md 7.12 permits a delay of a minute. */
const FLUSH_INTERVAL_MS = 10_000;

/** The maximum number of unwritten accesses, and of accesses in one write. */
const MAX_KEPT_BACK = 1_000;

/**
 * The last access times of media. They are kept in memory and written in batches, so that a popular medium is
 * not written with every download. A crash loses the unwritten times, so that a medium may seem slightly
 * older than it is.
 */
export class AccessTimes {
  readonly #media: OpenedCollection<typeof media>;
  readonly #clock: Clock;
  readonly #report: Report;
  readonly #timer: NodeJS.Timeout;
  #times = new Map<string, number>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: {
    readonly media: OpenedCollection<typeof media>;
    readonly clock: Clock;
    readonly report: Report;
  }) {
    this.#media = options.media;
    this.#clock = options.clock;
    this.#report = options.report;
    this.#timer = setInterval(() => this.#flushInBackground(), FLUSH_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Records an access of a medium at the current time. */
  touch(id: string): void {
    this.#times.set(id, this.#clock.now());
    if (this.#times.size >= MAX_KEPT_BACK) this.#flushInBackground();
  }

  /**
   * Writes the recorded times of this process. Callers await it before they select media by their dates.
   *
   * @throws Unavailable when the store cannot be written to; the recorded times are kept
   */
  async flush(): Promise<void> {
    const flushed = this.#writing.then(() => this.#write());
    this.#writing = flushed.catch(() => {});
    return flushed;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const times = this.#times;
    if (times.size === 0) return;
    this.#times = new Map();
    try {
      await this.#media.unversioned.bulkWrite(
        [...times].map(([_id, last_access_ts]) => ({
          updateOne: { filter: { _id }, update: { $max: { last_access_ts } } },
        })),
        { ordered: false },
      );
    } catch (error) {
      for (const [id, time] of times) if (!this.#times.has(id)) this.#times.set(id, time);
      throw error;
    }
  }

  #flushInBackground(): void {
    this.flush().catch((error: unknown) => this.#report('access times of media were not written', { error }));
  }
}
