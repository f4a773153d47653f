import type { Report } from '@steward/events';
import { appendEntries, sealEntries } from './append-entries.ts';
import type { ChainDeps } from './chain-deps.ts';

/** How long new entries are collected before they are appended, in milliseconds, so that many share one commit. */
const COLLECTED_MS = 250;

/** Appends entries to the hash chain in the background. */
export interface ChainAppender {
  /** Has new entries appended soon; has no effect when they are about to be. */
  wake(): void;
  /** Appends what can be appended now. Failures are reported, and tried again at the next time. */
  run(): Promise<void>;
  /** Waits for the running commit, and begins no other. */
  close(): Promise<void>;
}

/** Creates the appender of a process; it begins when it is woken. */
export function createChainAppender(deps: ChainDeps, report: Report): ChainAppender {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;
  const appendAll = async () => {
    try {
      let hasMore = true;
      while (hasMore && !isClosed) {
        await sealEntries(deps);
        hasMore = await appendEntries(deps);
      }
    } catch (error) {
      if (!isClosed) report('entries of the audit log were not appended to its hash chain', { error });
    }
  };
  const run = async () => {
    // One that runs may have passed the newest entries.
    await running;
    running ??= appendAll().finally(() => {
      running = undefined;
    });
    await running;
  };
  return {
    wake() {
      if (timer || isClosed) return;
      timer = setTimeout(() => {
        timer = undefined;
        void run();
      }, COLLECTED_MS);
      timer.unref();
    },
    run,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
