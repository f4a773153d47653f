import autocannon, { type Options } from 'autocannon';

/** The result of a load. */
export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly meanMs: number;
  readonly failed: number;
  /** The number of answers. */
  readonly answers: number;
}

/** The number of concurrent clients. */
const CONNECTIONS = 16;

/** Repeats a request on concurrent connections, 16 by default, for a given time. */
export async function load(options: Omit<Options, 'connections'>, connections = CONNECTIONS): Promise<Load> {
  const result = await autocannon({ connections, ...options });
  return {
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    meanMs: 1000 / (result.requests.average / connections),
    failed: result.non2xx + result.errors,
    answers: result.requests.total,
  };
}

/** Repeats a task in 16 concurrent clients for a given time; for tasks of more than one request. */
export async function loadTask(seconds: number, task: (n: number) => Promise<void>): Promise<Load> {
  const end = performance.now() + seconds * 1000;
  const times: number[] = [];
  let failed = 0;
  let n = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) {
        const start = performance.now();
        await task(n++).catch(() => failed++);
        times.push(performance.now() - start);
      }
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return {
    perSecond: times.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    meanMs: (seconds * 1000 * CONNECTIONS) / times.length,
    failed,
    answers: times.length,
  };
}

/** Returns the median. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
