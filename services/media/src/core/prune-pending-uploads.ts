import { removeInBatches } from '@steward/store';
import type { Deps } from './deps.ts';

/** Deletes content URIs whose bytes were not uploaded in time. */
export async function prunePendingUploads({
  pendingUploads,
  clock,
}: Pick<Deps, 'pendingUploads' | 'clock'>): Promise<void> {
  await removeInBatches(pendingUploads, { expires_ts: { $lt: clock.now() } }, { sort: { expires_ts: 1 } });
}
