import type { Deps } from '../deps.ts';
import { removeDevices } from '../devices/remove-devices.ts';
import type { ProviderSession } from '../model/provider-session.ts';

/** How many devices are read together. */
const BATCH = 100;

/**
 * Ends all that began with sessions at an identity provider: sessions of the console, devices with what belongs to them, and login tokens.
 * Repeating it completes it after a crash.
 *
 * @param named the user, the session, or both; TypeError for neither, which would be all
 */
export async function endProviderSessions(deps: Deps, named: Partial<ProviderSession>): Promise<void> {
  if (named.provider_sub === undefined && named.provider_sid === undefined)
    throw new TypeError('neither a user nor a session is named');
  // First, so that none begins.
  await deps.loginTokens.deleteMany(named);
  await deps.adminSessions.deleteMany(named);
  for (;;) {
    const found = await deps.devices
      .find(named, { limit: BATCH, projection: { user_id: 1, device_id: 1 } })
      .toArray();
    if (found.length === 0) return;
    for (const { user_id, device_id } of found) await removeDevices(deps, user_id, [device_id]);
  }
}
