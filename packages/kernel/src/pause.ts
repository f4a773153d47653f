import { setTimeout } from 'node:timers/promises';
import type { Random } from './random.ts';

/** Waits for a time, or until the signal aborts. Does not keep the process alive. */
export async function pauseUntil(signal: AbortSignal, ms: number): Promise<void> {
  await setTimeout(ms, undefined, { signal, ref: false }).catch(() => {});
}

/** Waits for a random time from `minMs` to `maxMs`, both included; for `minMs` when `maxMs` is less. */
export async function pauseBetween(random: Random, minMs: number, maxMs: number): Promise<void> {
  const ms = minMs + random.below(Math.max(maxMs - minMs, 0) + 1);
  if (ms > 0) await setTimeout(ms);
}
