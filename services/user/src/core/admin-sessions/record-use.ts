import type { Client } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { AdminSession } from '../model/admin-session.ts';

/** How often the use of a session is recorded: once a minute, and several times in a short idle time. */
const RECORD_INTERVAL_MS = 60_000;
const RECORDS_IN_IDLE_TIME = 10;

/** Records the use of a session, if the last record is old enough. Of concurrent uses one writes. */
export async function recordUse(
  { adminSessions, settings, clock }: Pick<Deps, 'adminSessions' | 'settings' | 'clock'>,
  { _id, used_ts }: AdminSession,
  { address, userAgent }: Client,
): Promise<void> {
  const now = clock.now();
  const interval = Math.min(RECORD_INTERVAL_MS, settings.adminIdleMs / RECORDS_IN_IDLE_TIME);
  if (now - used_ts < interval) return;
  await adminSessions.updateOne({ _id, used_ts }, { $set: { used_ts: now, address, user_agent: userAgent } });
}
