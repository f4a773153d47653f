import { commitAll } from '@steward/service';
import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from './deps.ts';
import { findableOf } from './model/media.ts';

/** The number of media in one read and one write: few, because on the embedded engine other work waits for it. */
const BATCH_SIZE = 100;

/**
 * Adds the fields with which the inventory finds media to those that an earlier version stored, and has them checked. What is
 * filled is found no more, so that an interrupted run goes on where it stopped. A medium that changes in between is found again.
 */
export async function fillInventory({ media }: Pick<Deps, 'media'>): Promise<void> {
  for (;;) {
    const some = await media.find({ media_type: null }, { limit: BATCH_SIZE }).toArray();
    const commits = some.map((current) => ({
      current,
      change: { set: { ...findableOf(current), ...(current.shown === undefined ? UNCHECKED : {}) } },
    }));
    if (commits.length > 0) await commitAll(media, commits, NOT_FLUSHED);
    if (some.length < BATCH_SIZE) return;
  }
}

const UNCHECKED = { unchecked: true } as const;
