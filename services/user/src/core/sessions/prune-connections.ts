import type { Deps } from '../deps.ts';

/** How long a connection is stored after it was last used: 28 days. */
const CONNECTION_LIFE_MS = 28 * 24 * 60 * 60 * 1000;

/** The number of connections that are deleted together. */
const BATCH = 500;

/** Deletes one batch of the oldest expired connections. */
export async function pruneConnections(deps: Pick<Deps, 'connections' | 'clock'>): Promise<void> {
  const expired = { last_seen: { $lt: deps.clock.now() - CONNECTION_LIFE_MS } };
  const oldest = await deps.connections
    .find(expired, { sort: { last_seen: 1, _id: 1 }, limit: BATCH, projection: { _id: 1 } })
    .toArray();
  if (oldest.length === 0) return;
  // A connection that was used since the query stays.
  await deps.connections.deleteMany({ ...expired, _id: { $in: oldest.map(({ _id }) => _id) } });
}
