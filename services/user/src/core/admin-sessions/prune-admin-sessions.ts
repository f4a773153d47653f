import type { Deps } from '../deps.ts';

/** The number of sessions that are deleted together. */
const BATCH = 500;

/** Deletes one batch of the oldest expired administrator sessions. */
export async function pruneAdminSessions(
  deps: Pick<Deps, 'adminSessions' | 'settings' | 'clock'>,
): Promise<void> {
  const expired = { created_ts: { $lt: deps.clock.now() - deps.settings.adminLifetimeMs } };
  const oldest = await deps.adminSessions
    .find(expired, { sort: { created_ts: 1 }, limit: BATCH, projection: { _id: 1 } })
    .toArray();
  if (oldest.length === 0) return;
  await deps.adminSessions.deleteMany({ _id: { $in: oldest.map(({ _id }) => _id) } });
}
