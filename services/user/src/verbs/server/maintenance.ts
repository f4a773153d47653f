import type { SetUpdatesEnabledRequest } from '@steward/proto/steward/user/v1/maintenance_pb.ts';
import type { Deps } from '../../core/deps.ts';



/** What is being updated in the background (behaviour.md 13.4). */
export function getUpdateStatus({ backgroundUpdates: { enabled } }: Pick<Deps, 'backgroundUpdates'>) {
  return { enabled, currentUpdates: {} };
}

/** Whether updates may run. */
export function getUpdatesEnabled({ backgroundUpdates: { enabled } }: Pick<Deps, 'backgroundUpdates'>) {
  return { enabled };
}

/** Lets updates run or stops them, until the process ends. */
export function setUpdatesEnabled(deps: Pick<Deps, 'backgroundUpdates'>, { enabled = true }: SetUpdatesEnabledRequest) {
  deps.backgroundUpdates.enabled = enabled;
  return { enabled };
}
