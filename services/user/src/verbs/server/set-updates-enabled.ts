import type { SetUpdatesEnabledRequest } from '@steward/proto/steward/user/v1/maintenance_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** Enables or disables background updates, until the process ends. */
export function setUpdatesEnabled(
  deps: Pick<Deps, 'backgroundUpdates'>,
  { enabled = true }: SetUpdatesEnabledRequest,
) {
  deps.backgroundUpdates.enabled = enabled;
  return { enabled };
}
