import type { Deps } from '../../core/deps.ts';

/** Whether updates may run. */
export function getUpdatesEnabled({ backgroundUpdates: { enabled } }: Pick<Deps, 'backgroundUpdates'>) {
  return { enabled };
}
