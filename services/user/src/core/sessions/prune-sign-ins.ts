import { removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';

/** How long a sign-in is stored: 28 days, as a connection after its last use. */
const SIGN_IN_LIFE_MS = 28 * 24 * 60 * 60 * 1000;

/** Deletes expired sign-ins. */
export async function pruneSignIns({
  storedSignIns,
  clock,
}: Pick<Deps, 'storedSignIns' | 'clock'>): Promise<void> {
  const expired = { ts: { $lt: clock.now() - SIGN_IN_LIFE_MS } };
  await removeInBatches(storedSignIns, expired, { sort: { ts: 1, _id: 1 } });
}
