import { removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';

/** Deletes login tokens, and sign-ins with identity providers, that have expired. */
export async function pruneLoginTokens({
  loginTokens,
  providerSignIns,
  clock,
}: Pick<Deps, 'loginTokens' | 'providerSignIns' | 'clock'>): Promise<void> {
  const expired = { expires_ts: { $lt: clock.now() } };
  await removeInBatches(loginTokens, expired, { sort: { expires_ts: 1 } });
  await removeInBatches(providerSignIns, expired, { sort: { expires_ts: 1 } });
}
