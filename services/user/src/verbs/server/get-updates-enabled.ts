import type { Deps } from '../../core/deps.ts';

/** Returns whether background updates may run. */
export function getUpdatesEnabled({ backgroundUpdates: { enabled } }: Pick<Deps, 'backgroundUpdates'>) {
  return { enabled };
}
