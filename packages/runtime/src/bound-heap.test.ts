import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** How many megabytes live longer than a collection of the young generation, and how many are made. */
const LIVE_MB = 24;
const MADE_MB = 500;

/** Makes garbage that only a collection of the whole heap frees, and prints the most that was kept, in MB. */
const SCRIPT = `
  import { boundHeap } from ${JSON.stringify(new URL('./bound-heap.ts', import.meta.url).href)};
  boundHeap();
  const before = process.memoryUsage().heapUsed;
  const live = [];
  let most = 0;
  for (let piece = 0; piece < ${MADE_MB}; piece++) {
    live[piece % ${LIVE_MB}] = new Array(2 ** 17).fill(0);
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }
  console.log(Math.round(most / 2 ** 20), typeof gc);
`;

it('bounds the garbage that a process keeps, from its start', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    encoding: 'utf8',
  });
  const [most, collector] = printed.trim().split(' ');
  expect(Number(most)).toBeLessThan(6 * LIVE_MB);
  expect(collector).toBe('undefined');
});
