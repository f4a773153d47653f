import { refuse } from '@steward/errors';
import type { Filter } from '@steward/store';
import type { Deps } from '../deps.ts';
import { type ChangeDeps, changeKeys } from '../key-changes/change-keys.ts';
import type { Account } from '../model/account.ts';
import { type Device, deviceKey } from '../model/device.ts';
import { sparedDeviceOf } from './remove-devices.ts';

type CurrentDeps = Pick<Deps, 'devices' | 'tokens'>;

/** All devices of an account, ascending by device id. */
export async function devicesOf(deps: CurrentDeps, account: Account): Promise<Device[]> {
  const filter = { user_id: account._id, ...(await ofCurrentEpoch(deps, account)) };
  return deps.devices.find(filter, { sort: { device_id: 1, _id: 1 } }).toArray();
}

/** Whether an account has a device of this id that is not dehydrated. */
export async function hasDevice(deps: CurrentDeps, account: Account, deviceId: string): Promise<boolean> {
  const _id = deviceKey(account._id, deviceId);
  const filter = { _id, dehydrated: null, ...(await ofCurrentEpoch(deps, account)) };
  return (await deps.devices.findOne(filter, { projection: { _id: 1 } })) !== null;
}

/** The number of devices of an account, besides the dehydrated one. */
export async function countDevices(deps: CurrentDeps, account: Account): Promise<number> {
  const filter = { user_id: account._id, dehydrated: null, ...(await ofCurrentEpoch(deps, account)) };
  return deps.devices.countDocuments(filter);
}

/**
 * The number of devices of several users together, dehydrated ones included; unknown users have none. Users of the same
 * session epoch are counted with one query, which an index answers.
 */
export async function countDevicesOfAll(
  deps: CurrentDeps & Pick<Deps, 'accounts'>,
  userIds: readonly string[],
): Promise<number> {
  if (userIds.length === 0) return 0;
  const accounts = await deps.accounts
    .find({ _id: { $in: userIds } }, { projection: { sessions: 1 } })
    .toArray();
  const sparing = accounts.filter(({ sessions }) => sessions.except !== null);
  const others = accounts.filter(({ sessions }) => sessions.except === null);
  const byEpoch = Map.groupBy(others, ({ sessions }) => sessions.epoch);
  const filters: Filter<Device>[] = [...byEpoch].map(([epoch, users]) => ({
    user_id: { $in: users.map(({ _id }) => _id) },
    epoch: { $gte: epoch },
  }));
  for (const account of sparing) {
    filters.push({ user_id: account._id, ...(await ofCurrentEpoch(deps, account)) });
  }
  let devices = 0;
  for (const filter of filters) devices += await deps.devices.countDocuments(filter);
  return devices;
}

/**
 * A device of an account.
 *
 * @throws refuse.notFound when there is none of that id
 */
export async function existingDevice(deps: CurrentDeps, account: Account, deviceId: string): Promise<Device> {
  const filter = { _id: deviceKey(account._id, deviceId), ...(await ofCurrentEpoch(deps, account)) };
  const device = await deps.devices.findOne(filter);
  if (!device) throw refuse.notFound('Device not found');
  return device;
}

/**
 * Renames a device; without a name nothing changes, even for an unknown device.
 *
 * @throws refuse.notFound when there is no device of that id
 */
export async function nameDevice(
  deps: CurrentDeps & ChangeDeps,
  account: Account,
  { deviceId, displayName }: { readonly deviceId: string; readonly displayName?: string | undefined },
): Promise<void> {
  if (displayName === undefined) return;
  const filter = { _id: deviceKey(account._id, deviceId), ...(await ofCurrentEpoch(deps, account)) };
  const device = await deps.devices.findOne(filter, { projection: { display_name: 1, device_keys: 1 } });
  if (!device) throw refuse.notFound('Device not found');
  const rename = () => deps.devices.updateOne(filter, { $set: { display_name: displayName } });
  // Others see the name along with the keys.
  const isShown = device.device_keys !== undefined && device.display_name !== displayName;
  const { matchedCount } = isShown ? await changeKeys(deps, account._id, rename) : await rename();
  if (matchedCount === 0) throw refuse.notFound('Device not found');
}

/**
 * Removes a device of an ended session, so that a new one can have its id: a login that crashes after all sessions
 * were ended may leave such a device.
 */
export async function removeLeftover(deps: CurrentDeps, account: Account, deviceId: string): Promise<void> {
  const spared = await sparedDeviceOf(deps, account);
  if (deviceId === spared) return;
  const { epoch } = account.sessions;
  await deps.devices.deleteOne({ _id: deviceKey(account._id, deviceId), epoch: { $lt: epoch } });
}

/** Matches the devices that logged in since sessions were last ended, and that of the spared session. */
async function ofCurrentEpoch(deps: CurrentDeps, account: Account): Promise<Filter<Device>> {
  const spared = await sparedDeviceOf(deps, account);
  const current: Filter<Device> = { epoch: { $gte: account.sessions.epoch } };
  return spared === null ? current : { $or: [current, { device_id: spared }] };
}
