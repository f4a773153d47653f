import { removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';

/** Deletes expired administrator sessions. */
export async function pruneAdminSessions({
  adminSessions,
  settings,
  clock,
}: Pick<Deps, 'adminSessions' | 'settings' | 'clock'>): Promise<void> {
  const expired = { created_ts: { $lt: clock.now() - settings.adminLifetimeMs } };
  await removeInBatches(adminSessions, expired, { sort: { created_ts: 1 } });
}
