import { isOpen } from '@steward/tasks';
import type { Deps } from '../deps.ts';
import { PURGE_HISTORY } from '../model/history-purge.ts';

/** The longest that a reader waits for a purge, in milliseconds; reading during a purge is harmless. */
const MAX_WAIT_MS = 5_000;

/** Waits until no history of a room is being purged (behaviour.md 8.1), for `MAX_WAIT_MS` at most. */
export async function awaitPurges(deps: Pick<Deps, 'tasks'>, roomId: string): Promise<void> {
  const last = (await deps.tasks.list(roomId, PURGE_HISTORY)).findLast(isOpen);
  if (!last) return;
  await deps.tasks.endedWithin(last._id, MAX_WAIT_MS);
}
