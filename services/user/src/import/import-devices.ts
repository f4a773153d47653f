import type { ImportDevicesRequest } from '@steward/proto/steward/user/v1/import_pb.ts';
import type { Deps } from '../core/deps.ts';
import { type Device, deviceKey } from '../core/model/device.ts';
import { checkBatch } from './import-users.ts';
import { idsOf, type LoadedBatch, loadBatch } from './load-batch.ts';

/** Loads devices of existing accounts. */
export async function importDevices(deps: Deps, { devices }: ImportDevicesRequest): Promise<LoadedBatch> {
  checkBatch(devices);
  const userIds = [...new Set(devices.map(({ userId }) => userId))];
  const owners = await deps.accounts
    .find({ _id: { $in: userIds } }, { projection: { sessions: 1 } })
    .toArray();
  const epochs = new Map(owners.map(({ _id, sessions }) => [_id, sessions.epoch]));
  return loadBatch<Device>(
    {
      existing: (ids) => idsOf(deps.devices.find({ _id: { $in: ids } }, { projection: { _id: 1 } })),
      insert: (documents) => deps.devices.insertMany(documents, { ordered: false }),
    },
    devices.map((device) => {
      const epoch = epochs.get(device.userId);
      if (epoch === undefined) return { problem: `there is no account ${device.userId}` };
      if (device.deviceId === '') return { problem: 'device_id is empty' };
      return {
        document: {
          _id: deviceKey(device.userId, device.deviceId),
          user_id: device.userId,
          device_id: device.deviceId,
          display_name: device.displayName ?? null,
          last_seen_ip: device.lastSeenIp ?? null,
          last_seen_user_agent: device.lastSeenUserAgent ?? null,
          last_seen_ts: device.lastSeenTs === undefined ? null : Number(device.lastSeenTs),
          epoch,
        },
      };
    }),
  );
}
