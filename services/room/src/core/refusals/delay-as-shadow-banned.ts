import { pauseBetween } from '@steward/kernel';
import type { Deps } from '../deps.ts';

/** Waits before a shadow-banned user gets the answer to a request without effect (client-plane.md 8.3). */
export async function delayAsShadowBanned(deps: Pick<Deps, 'random' | 'settings'>): Promise<void> {
  await pauseBetween(deps.random, ...deps.settings.shadowBanPauseMs);
}
