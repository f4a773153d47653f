import { removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';

/** Deletes expired OpenID tokens. */
export async function pruneOpenIdTokens({
  openIdTokens,
  clock,
}: Pick<Deps, 'openIdTokens' | 'clock'>): Promise<void> {
  await removeInBatches(openIdTokens, { expires_ts: { $lt: clock.now() } }, { sort: { expires_ts: 1 } });
}
