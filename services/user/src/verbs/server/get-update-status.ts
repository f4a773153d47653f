import type { Deps } from '../../core/deps.ts';

/** Returns the status of background updates, of which none ever runs (behaviour.md 13.4). */
export function getUpdateStatus({ backgroundUpdates: { enabled } }: Pick<Deps, 'backgroundUpdates'>) {
  return { enabled, currentUpdates: {} };
}
