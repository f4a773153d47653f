import type { Report } from '@steward/events';
import { type BackgroundRun, backgroundRun } from '@steward/kernel';
import { appendEntries, sealEntries } from './append-entries.ts';
import type { ChainDeps } from './chain-deps.ts';

/** How long new entries are collected before they are appended, in milliseconds, so that many share one commit. */
const COLLECTED_MS = 250;

/** Creates what appends entries to the hash chain in the background. */
export function createChainAppender(deps: ChainDeps, report: Report): BackgroundRun {
  const appendAll = async (goesOn: () => boolean) => {
    let hasMore = true;
    while (hasMore && goesOn()) {
      await sealEntries(deps);
      hasMore = await appendEntries(deps);
    }
  };
  return backgroundRun(appendAll, {
    delayMs: COLLECTED_MS,
    onFault: (error) => report('entries of the audit log were not appended to its hash chain', { error }),
  });
}
