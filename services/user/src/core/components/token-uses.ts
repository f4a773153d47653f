import type { Clock } from '@steward/kernel';
import type { Collections } from '../collections.ts';
import { createUseBatches, type UseBatches } from './use-batches.ts';

/** How often the use of a token is written, in milliseconds. */
const RECORD_INTERVAL_MS = 60_000;

/** How many tokens are remembered; a use of an evicted one is written again. */
const MAX_REMEMBERED = 2_000;

/** Records the last use of automation tokens, with at most one write of a process for each token and minute. */
export interface TokenUses extends Pick<UseBatches<unknown>, 'flush' | 'close'> {
  /** Records a use of a token from an address. */
  record(id: string, address: string): void;
}

interface Use {
  readonly id: string;
  readonly ts: number;
  readonly address: string;
}

/** Collects uses of automation tokens and writes them in batches. A token that was revoked since stays revoked. */
export function createTokenUses({
  automationTokens,
  ...options
}: Pick<Collections, 'automationTokens'> & {
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}): TokenUses {
  const write = async (uses: readonly Use[]) => {
    await automationTokens.unversioned.bulkWrite(
      uses.map(({ id, ts, address }) => ({
        updateOne: {
          // Another process may have written a later use.
          filter: { _id: id, $or: [{ 'last_used.ts': null }, { 'last_used.ts': { $lt: ts } }] },
          update: { $set: { last_used: { ts, address } } },
        },
      })),
      { ordered: false },
    );
  };
  const limits = { intervalMs: RECORD_INTERVAL_MS, maxRemembered: MAX_REMEMBERED };
  const batches = createUseBatches<Use>({ ...options, ...limits, write });
  return {
    flush: () => batches.flush(),
    close: () => batches.close(),
    record: (id, address) => void batches.add(id, (ts) => ({ id, ts, address })),
  };
}
