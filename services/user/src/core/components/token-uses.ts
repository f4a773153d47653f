import type { Clock } from '@steward/kernel';
import type { Collections } from '../collections.ts';

/** How often the use of a token is written, in milliseconds. */
const RECORD_INTERVAL_MS = 60_000;

/** How long uses wait before they are written, in milliseconds; a killed process loses those that wait. */
const FLUSH_INTERVAL_MS = 5_000;

/** How many tokens are remembered; a use of an evicted one is written again. */
const MAX_REMEMBERED = 2_000;

/** Records the last use of automation tokens, with at most one write of a process for each token and minute. */
export interface TokenUses {
  /** Records a use of a token from an address. */
  record(id: string, address: string): void;
  /** Writes the uses that wait. */
  flush(): Promise<void>;
  /** Writes the uses that wait, and stops. */
  close(): Promise<void>;
}

interface Use {
  readonly ts: number;
  readonly address: string;
}

/** Collects uses of automation tokens and writes them in batches. A token that was revoked since stays revoked. */
export function createTokenUses({
  automationTokens,
  clock,
  onFault,
}: Pick<Collections, 'automationTokens'> & {
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}): TokenUses {
  const remembered = new Map<string, number>();
  const waiting = new Map<string, Use>();
  let writing: Promise<void> = Promise.resolve();

  const write = async (uses: readonly (readonly [string, Use])[]) => {
    await automationTokens.unversioned.bulkWrite(
      uses.map(([_id, use]) => ({
        updateOne: {
          // Another process may have written a later use.
          filter: { _id, $or: [{ 'last_used.ts': null }, { 'last_used.ts': { $lt: use.ts } }] },
          update: { $set: { last_used: use } },
        },
      })),
      { ordered: false },
    );
  };
  const flush = (): Promise<void> => {
    const uses = [...waiting];
    waiting.clear();
    if (uses.length > 0) {
      writing = writing
        .then(() => write(uses))
        .catch((error: unknown) => {
          for (const [id] of uses) remembered.delete(id);
          onFault(error);
        });
    }
    return writing;
  };
  const timer = setInterval(flush, FLUSH_INTERVAL_MS);
  timer.unref();

  return {
    flush,
    record(id, address) {
      const ts = clock.now();
      const last = remembered.get(id);
      if (last !== undefined && ts - last < RECORD_INTERVAL_MS) return;
      remembered.delete(id);
      remembered.set(id, ts);
      if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value as string);
      waiting.set(id, { ts, address });
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
