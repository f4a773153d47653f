import type { ImportDevicesRequest, ImportedDevice } from '@steward/proto/steward/user/v1/import_pb.ts';
import { checkBatch, checked, idsOf, isSafeNumber, type LoadedBatch, loadBatch } from '@steward/service';
import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import type { Account } from '../core/model/account.ts';
import { type Device, deviceKey } from '../core/model/device.ts';
import { isDots } from '../core/model/is-dots.ts';
import { furtherOfDevice } from '../core/records/further-fields.ts';

/** Loads devices of existing accounts, which were seen at least as late as their devices. Not flushed, as `importUsers`. */
export async function importDevices(deps: Deps, { devices }: ImportDevicesRequest): Promise<LoadedBatch> {
  checkBatch(devices);
  const userIds = [...new Set(devices.map(({ userId }) => userId))];
  const owners = await deps.accounts
    .find({ _id: { $in: userIds } }, { projection: { sessions: 1, last_seen_ts: 1, acts_for_server: 1 } })
    .toArray();
  const accounts = new Map(owners.map((owner) => [owner._id, owner]));
  const batch = await loadBatch<Device>(
    {
      existing: (ids) => idsOf(deps.devices.find({ _id: { $in: ids } }, { projection: { _id: 1 } })),
      insert: (documents) => deps.devices.insertMany(documents, { ...NOT_FLUSHED, ordered: false }),
    },
    devices.map((device) => {
      const account = accounts.get(device.userId);
      if (!account) return { problem: `there is no account ${device.userId}` };
      if (account.acts_for_server) return { problem: 'an account that acts for the server has no devices' };
      if (device.deviceId === '') return { problem: 'device_id is empty' };
      if (isDots(device.deviceId)) return { problem: "device_id must not be '.' or '..'" };
      if (device.lastSeenTs !== undefined && !isSafeNumber(device.lastSeenTs)) {
        return { problem: 'last_seen_ts is not a time' };
      }
      return checked(() => ({
        _id: deviceKey(device.userId, device.deviceId),
        user_id: device.userId,
        device_id: device.deviceId,
        display_name: device.displayName ?? null,
        last_seen_ip: device.lastSeenIp ?? null,
        last_seen_user_agent: device.lastSeenUserAgent ?? null,
        last_seen_ts: device.lastSeenTs === undefined ? null : Number(device.lastSeenTs),
        epoch: account.sessions.epoch,
        ...furtherOfDevice.read(device.further),
      }));
    }),
  );
  // Also for devices that an interrupted import has loaded before.
  await raiseLastSeen(deps, devices, accounts);
  return batch;
}

async function raiseLastSeen(
  deps: Pick<Deps, 'accounts'>,
  devices: readonly ImportedDevice[],
  accounts: ReadonlyMap<string, Pick<Account, 'last_seen_ts'>>,
): Promise<void> {
  const latest = new Map<string, number>();
  for (const { userId, lastSeenTs } of devices) {
    const account = accounts.get(userId);
    if (!account || lastSeenTs === undefined || !isSafeNumber(lastSeenTs)) continue;
    const known = latest.get(userId) ?? account.last_seen_ts ?? 0;
    if (Number(lastSeenTs) > known) latest.set(userId, Number(lastSeenTs));
  }
  await deps.accounts.unversioned.bulkWrite(
    [...latest].map(([_id, last_seen_ts]) => ({
      updateOne: { filter: { _id }, update: { $max: { last_seen_ts } } },
    })),
    { ...NOT_FLUSHED, ordered: false },
  );
}
