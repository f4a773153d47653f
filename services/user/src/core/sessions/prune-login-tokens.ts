import { removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';

/** How long nonces and logouts are kept after they have expired, in milliseconds: clocks of instances may differ. */
const SPENT_KEPT_MS = 60 * 60_000;

/**
 * Deletes login tokens, challenges for passkeys, sign-ins with identity providers, and what remembers nonces and logouts, that have
 * expired.
 */
export async function pruneLoginTokens({
  loginTokens,
  passkeyChallenges,
  providerSignIns,
  spentNonces,
  clock,
}: Pick<
  Deps,
  'loginTokens' | 'passkeyChallenges' | 'providerSignIns' | 'spentNonces' | 'clock'
>): Promise<void> {
  const expired = { expires_ts: { $lt: clock.now() } };
  await removeInBatches(loginTokens, expired, { sort: { expires_ts: 1 } });
  await removeInBatches(passkeyChallenges, expired, { sort: { expires_ts: 1 } });
  await removeInBatches(providerSignIns, expired, { sort: { expires_ts: 1 } });
  const spent = { expires_ts: { $lt: clock.now() - SPENT_KEPT_MS } };
  await removeInBatches(spentNonces, spent, { sort: { expires_ts: 1 } });
}
