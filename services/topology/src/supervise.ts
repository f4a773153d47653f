import { setTimeout } from 'node:timers/promises';
import type { Clock } from '@steward/kernel';
import type { Child } from './child.ts';

/** The pause before the first restart, in milliseconds; it doubles with each further one. */
const FIRST_PAUSE_MS = 1_000;

const LONGEST_PAUSE_MS = 30_000;

/** How long a process must have been ready, in milliseconds, for its next end to count as the first one. */
const STABLE_MS = 60_000;

const MS_PER_S = 1000;

/** What supervision needs. */
export interface SupervisorOptions {
  /** The name of the process in reports, such as "user service". */
  readonly name: string;
  readonly clock: Clock;
  /** Receives a line about each end and each restart. */
  readonly report: (line: string) => void;
  /** Waits, until the signal is aborted at most. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The process that is supervised. */
type Supervised = Pick<Child, 'url' | 'ended' | 'start'>;

/** The supervision of one process. */
export interface Supervisor {
  /** Ends the supervision: the process is not started again. Does not end the process. */
  stop(): void;
}

/**
 * Starts a process again whenever it ends: after a second, then after twice as long each time, up to 30 seconds. It
 * never gives up. After a process has been ready for a minute, its pauses begin at a second again.
 */
export function supervise(child: Supervised, options: SupervisorOptions): Supervisor {
  const { name, clock, report, pause = pauseFor } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let pauseMs = FIRST_PAUSE_MS;
  let readyAt: number | undefined = clock.now();
  const watch = async () => {
    while (!signal.aborted) {
      const how = await child.ended();
      if (signal.aborted) return;
      if (readyAt !== undefined && clock.now() - readyAt >= STABLE_MS) pauseMs = FIRST_PAUSE_MS;
      report(`The ${name} at ${child.url} ended (${how}). It starts again in ${pauseMs / MS_PER_S} s.`);
      await pause(pauseMs, signal);
      if (signal.aborted) return;
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      try {
        readyAt = undefined;
        await child.start();
        readyAt = clock.now();
        report(`The ${name} at ${child.url} is ready again.`);
      } catch {
        // The process has printed why, and the next round reports that it ended.
      }
    }
  };
  void watch();
  return { stop: () => stopping.abort() };
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
