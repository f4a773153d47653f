import type { Deps } from '../deps.ts';

/** How long a sign-in is stored: 28 days, as a connection after its last use. */
const SIGN_IN_LIFE_MS = 28 * 24 * 60 * 60 * 1000;

/** The number of sign-ins that are deleted together. */
const BATCH = 500;

/** Deletes expired sign-ins. */
export async function pruneSignIns({
  storedSignIns,
  clock,
}: Pick<Deps, 'storedSignIns' | 'clock'>): Promise<void> {
  const expired = { ts: { $lt: clock.now() - SIGN_IN_LIFE_MS } };
  for (;;) {
    const oldest = await storedSignIns
      .find(expired, { sort: { ts: 1, _id: 1 }, limit: BATCH, projection: { _id: 1 } })
      .toArray();
    if (oldest.length > 0) await storedSignIns.deleteMany({ _id: { $in: oldest.map(({ _id }) => _id) } });
    if (oldest.length < BATCH) return;
  }
}
