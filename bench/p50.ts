import { median } from './load.ts';

/** How often a request is repeated: enough for a median, few enough for a short run. */
const REPEATS = 40;
const WARM_UP = 5;

/** Measures the median duration of a request, in milliseconds. */
export async function p50(request: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < REPEATS + WARM_UP; n++) {
    const ms = await timed(request);
    if (n >= WARM_UP) times.push(ms);
  }
  return median(times);
}

/** Measures how long some work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
