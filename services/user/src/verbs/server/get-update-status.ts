import type { Deps } from '../../core/deps.ts';

/** What is being updated in the background (behaviour.md 13.4). */
export function getUpdateStatus({ backgroundUpdates: { enabled } }: Pick<Deps, 'backgroundUpdates'>) {
  return { enabled, currentUpdates: {} };
}
