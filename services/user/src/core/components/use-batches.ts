import type { Clock } from '@steward/kernel';

/** How long uses wait before they are written, in milliseconds; a killed process loses those that wait. */
const FLUSH_INTERVAL_MS = 5_000;

/** The number of waiting uses at which they are written without further delay. */
const MAX_WAITING = 500;

/** What batches of uses are made with. */
export interface UseBatchesOptions<Use> {
  readonly clock: Clock;
  /** How often the use of a credential is recorded, in milliseconds. */
  readonly intervalMs: number;
  /** How many credentials are remembered; a use of an evicted one counts as its first one again. */
  readonly maxRemembered: number;
  readonly write: (uses: readonly Use[]) => Promise<void>;
  /** Receives the failures of writes, after which the uses are recorded again. */
  readonly onFault: (error: unknown) => void;
}

/** Collects uses of credentials and writes them in batches, so that not every request causes a write. */
export interface UseBatches<Use> {
  /**
   * Records a use, unless one of the credential was recorded in the interval before it.
   *
   * @param key names the credential
   * @param useAt returns the use at a time, in milliseconds since the Unix epoch
   * @returns whether the use is recorded, and no earlier one is remembered
   */
  add(key: string, useAt: (at: number) => Use): boolean;
  /** Writes the uses that wait. */
  flush(): Promise<void>;
  /** Writes the uses that wait, and stops. */
  close(): Promise<void>;
}

/** Creates batches, which are written at a regular interval. */
export function createUseBatches<Use>(options: UseBatchesOptions<Use>): UseBatches<Use> {
  const { clock, intervalMs, maxRemembered, write, onFault } = options;
  const remembered = new Map<string, number>();
  const waiting = new Map<string, Use>();
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    const keys = [...waiting.keys()];
    const uses = [...waiting.values()];
    waiting.clear();
    if (uses.length > 0) {
      writing = writing
        .then(() => write(uses))
        .catch((error: unknown) => {
          for (const key of keys) remembered.delete(key);
          onFault(error);
        });
    }
    return writing;
  };
  const timer = setInterval(flush, FLUSH_INTERVAL_MS);
  timer.unref();

  return {
    flush,
    add(key, useAt) {
      const at = clock.now();
      const last = remembered.get(key);
      if (last !== undefined && at - last < intervalMs) return false;
      remembered.delete(key);
      remembered.set(key, at);
      if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value as string);
      waiting.set(key, useAt(at));
      if (waiting.size >= MAX_WAITING) void flush();
      return last === undefined;
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
