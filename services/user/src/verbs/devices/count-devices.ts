import { refuse } from '@steward/errors';
import type { CountDevicesRequest } from '@steward/proto/steward/user/v1/devices_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { sparedDeviceOf } from '../../core/devices/remove-devices.ts';

/** The maximum of users in one request. */
const MAX_USERS = 1_000;

/** Counts the devices of several accounts together, for other services; unknown users have none. */
export async function countDevices(deps: Deps, { userIds }: CountDevicesRequest) {
  if (userIds.length > MAX_USERS) throw refuse.invalidParam(`At most ${MAX_USERS} users may be named`);
  const accounts = await deps.accounts
    .find({ _id: { $in: userIds } }, { projection: { sessions: 1 } })
    .toArray();
  const known = new Map(accounts.map((account) => [account._id, account]));
  const devices = deps.devices.find(
    { user_id: { $in: [...known.keys()] } },
    { projection: { user_id: 1, device_id: 1, epoch: 1 } },
  );
  let count = 0n;
  for await (const { user_id, device_id, epoch } of devices) {
    const account = known.get(user_id);
    // Devices of ended sessions stay stored until they are cleaned up; of those only the spared session's counts.
    const counts =
      account && (epoch >= account.sessions.epoch || (await sparedDeviceOf(deps, account)) === device_id);
    if (counts) count++;
  }
  return { devices: count };
}
