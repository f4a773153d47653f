import { NOT_FLUSHED, retryOnConflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { HashValues } from '../model/listed-hash.ts';

/** The number of hashes in one write: few, so that other requests do not wait for it. */
const BATCH = 500;

/** Who adds hashes. */
export interface Addition {
  readonly addedBy: string;
  /** The id under which a task will find them; `undefined` if they are not applied to existing media. */
  readonly appliedBy: string | undefined;
}

/** The outcome of added hashes. */
export interface SavedHashes {
  readonly added: number;
  /** The hashes that were on the list already. */
  readonly updated: number;
}

/**
 * Adds hashes to the list, or replaces what the list says of them. Durable when it resolves; an interrupted call has added some, and
 * can be repeated.
 */
export async function saveHashes(
  deps: Pick<Deps, 'hashes' | 'clock' | 'random'>,
  values: readonly HashValues[],
  { addedBy, appliedBy }: Addition,
): Promise<SavedHashes> {
  const added_ts = deps.clock.now();
  let added = 0;
  for (let start = 0; start < values.length; start += BATCH) {
    const isLast = start + BATCH >= values.length;
    const operations = values.slice(start, start + BATCH).map(({ sha256, ...said }) => ({
      updateOne: {
        filter: { _id: sha256 },
        update: {
          $set: { ...said, ...(appliedBy === undefined ? {} : { applied_by: appliedBy }) },
          $setOnInsert: { added_ts, added_by: addedBy, last_match_ts: null },
        },
        upsert: true,
      },
    }));
    const { upsertedCount } = await retryOnConflict(
      // Another request can add the same hash at the same time; the repetition finds it.
      () => deps.hashes.bulkWrite(operations, { ordered: false, ...(isLast ? {} : NOT_FLUSHED) }),
      deps,
    );
    added += upsertedCount;
  }
  return { added, updated: values.length - added };
}
