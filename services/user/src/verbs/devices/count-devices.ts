import { refuse } from '@steward/errors';
import type { CountDevicesRequest } from '@steward/proto/steward/user/v1/devices_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { countDevicesOfAll } from '../../core/devices/current-devices.ts';

/** The maximum of users in one request. */
const MAX_USERS = 1_000;

/** Counts the devices of several accounts together, for other services; unknown users have none. */
export async function countDevices(deps: Deps, { userIds }: CountDevicesRequest) {
  if (userIds.length > MAX_USERS) throw refuse.invalidParam(`At most ${MAX_USERS} users may be named`);
  // Read first, so that a device that is added or removed during the count makes the next revision differ.
  const revision = deps.devices.revision();
  const devices = await countDevicesOfAll(deps, userIds);
  return { devices: BigInt(devices), ...(revision === undefined ? {} : { revision: BigInt(revision) }) };
}
