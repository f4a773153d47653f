import { removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';

/** How long a connection is stored after it was last used: 28 days. */
const CONNECTION_LIFE_MS = 28 * 24 * 60 * 60 * 1000;

/** Deletes expired connections. */
export async function pruneConnections({
  connections,
  clock,
}: Pick<Deps, 'connections' | 'clock'>): Promise<void> {
  const expired = { last_seen: { $lt: clock.now() - CONNECTION_LIFE_MS } };
  await removeInBatches(connections, expired, { sort: { last_seen: 1, _id: 1 } });
}
