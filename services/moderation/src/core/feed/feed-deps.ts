import type { Clock, Random } from '@steward/kernel';
import type { OpenedCollections } from '@steward/service';
import type { StoreCapabilities } from '@steward/store';
import type { collections } from '../collections.ts';

/** The dependencies of the store of the feed. */
export interface FeedDeps
  extends Pick<OpenedCollections<typeof collections>, 'feedCursors' | 'feedEvents' | 'feedHeads'> {
  readonly clock: Clock;
  readonly random: Random;
  /** See `createFlush`. */
  readonly flushPositions: (last: number) => Promise<void>;
  readonly capabilities: Pick<StoreCapabilities, 'insertsAlongCommit'>;
}
