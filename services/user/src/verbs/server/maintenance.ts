import type { SetUpdatesEnabledRequest } from '@steward/proto/steward/user/v1/maintenance_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** Whether updates in the background may run. Nothing ever has to be updated so. */
export interface BackgroundUpdates {
  enabled: boolean;
}

type Updates = Pick<Deps, 'backgroundUpdates'>;

/** What is being updated in the background (behaviour.md 13.4). */
export function getUpdateStatus({ backgroundUpdates: { enabled } }: Updates) {
  return { enabled, currentUpdates: {} };
}

/** Whether updates may run. */
export function getUpdatesEnabled({ backgroundUpdates: { enabled } }: Updates) {
  return { enabled };
}

/** Lets updates run or stops them, until the process ends. */
export function setUpdatesEnabled(deps: Updates, { enabled = true }: SetUpdatesEnabledRequest) {
  deps.backgroundUpdates.enabled = enabled;
  return { enabled };
}
