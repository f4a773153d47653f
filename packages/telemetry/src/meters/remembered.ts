import { setTimeout } from 'node:timers/promises';

/** How long an answer is kept unless given, in milliseconds: about the interval at which metrics are usually read. */
const KEPT_MS = 15_000;
/** How long totals are kept, in milliseconds, because to count them the store may read a whole index. */
export const TOTALS_KEPT_MS = 5 * 60_000;
/** How long a reader of the metrics waits for an answer, in milliseconds. */
const WAIT_MS = 2_000;

/** How answers are remembered; tests replace the time. */
export interface RememberOptions {
  /** How long an answer is kept, in milliseconds; 15,000 unless given. */
  readonly keptMs?: number;
  /** A monotonic time, in milliseconds. */
  readonly now?: () => number;
  /** Waits for a number of milliseconds. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Bounds how often and how long the store or the broker is asked: an answer is kept for a while, readers share a question,
 * and none waits for it longer than two seconds. A late answer is kept for the next reader. So is a late failure, because a
 * question that the store gives up has cost it much; after a quick one the next reader asks again.
 *
 * @returns a function that returns the answer, or throws what `ask` throws, or that there is no answer in time
 */
export function remembered<R>(
  ask: () => Promise<R>,
  {
    keptMs = KEPT_MS,
    now = () => performance.now(),
    wait = (ms, signal) => setTimeout(ms, undefined, { ref: false, signal }),
  }: RememberOptions = {},
): () => Promise<R> {
  let answer: { readonly value: Promise<R>; readonly at: number } | undefined;
  let asking: Promise<R> | undefined;
  const askOnce = () => {
    if (asking !== undefined) return asking;
    const from = now();
    const value = ask();
    const keep = () => {
      answer = { value, at: now() };
    };
    asking = value.finally(() => {
      asking = undefined;
    });
    value.then(keep, () => {
      if (now() - from >= WAIT_MS) keep();
    });
    return asking;
  };
  return async () => {
    if (answer !== undefined && now() - answer.at < keptMs) return answer.value;
    const waiting = new AbortController();
    const late = wait(WAIT_MS, waiting.signal).then(
      () => {
        throw new Error('No answer in time');
      },
      () => undefined,
    );
    try {
      return (await Promise.race([askOnce(), late])) as R;
    } finally {
      waiting.abort();
    }
  };
}
