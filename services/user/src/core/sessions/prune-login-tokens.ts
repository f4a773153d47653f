import { removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';

/** Deletes login tokens, challenges for passkeys, and sign-ins with identity providers, that have expired. */
export async function pruneLoginTokens({
  loginTokens,
  passkeyChallenges,
  providerSignIns,
  clock,
}: Pick<Deps, 'loginTokens' | 'passkeyChallenges' | 'providerSignIns' | 'clock'>): Promise<void> {
  const expired = { expires_ts: { $lt: clock.now() } };
  await removeInBatches(loginTokens, expired, { sort: { expires_ts: 1 } });
  await removeInBatches(passkeyChallenges, expired, { sort: { expires_ts: 1 } });
  await removeInBatches(providerSignIns, expired, { sort: { expires_ts: 1 } });
}
