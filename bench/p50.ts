import { median } from './load.ts';

/** How often a request is repeated: enough for a median, few enough for a short run. */
const REPEATS = 40;
const WARM_UP = 5;

/** Measures the median duration of a request, in milliseconds. */
export async function p50(request: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < REPEATS + WARM_UP; n++) {
    const start = performance.now();
    await request();
    if (n >= WARM_UP) times.push(performance.now() - start);
  }
  return median(times);
}
