import type { Deps } from '../deps.ts';

/** How long a connection is remembered after it was last used: 28 days. */
const CONNECTION_LIFE_MS = 28 * 24 * 60 * 60 * 1000;

/** How many connections are forgotten at a time. */
const BATCH = 500;

/** Forgets the oldest connections, a batch of those whose time is over. */
export async function pruneConnections(deps: Pick<Deps, 'connections' | 'clock'>): Promise<void> {
  const over = { last_seen: { $lt: deps.clock.now() - CONNECTION_LIFE_MS } };
  const oldest = await deps.connections
    .find(over, { sort: { last_seen: 1, _id: 1 }, limit: BATCH, projection: { _id: 1 } })
    .toArray();
  if (oldest.length === 0) return;
  // One that was used since the search stays.
  await deps.connections.deleteMany({ ...over, _id: { $in: oldest.map(({ _id }) => _id) } });
}
