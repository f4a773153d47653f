import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type {
  DeviceSchema,
  GetDeviceRequest,
  ListDevicesRequest,
} from '@steward/proto/steward/user/v1/devices_pb.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { devicesOf, existingDevice } from '../../core/devices/current-devices.ts';
import type { Device } from '../../core/model/device.ts';

/** All devices of an account (behaviour.md 3), ascending by device id. */
export async function listDevices(deps: Deps, request: ListDevicesRequest) {
  const account = await existingAccount(deps, request.userId);
  const devices = await devicesOf(deps, account);
  return { devices: devices.map(toDevice), total: BigInt(devices.length) };
}

/** One device. */
export async function getDevice(deps: Deps, request: GetDeviceRequest) {
  const account = await existingAccount(deps, request.userId);
  return { device: toDevice(await existingDevice(deps, account, request.deviceId)) };
}

function toDevice(device: Device): MessageInitShape<typeof DeviceSchema> {
  return {
    deviceId: device.device_id,
    displayName: device.display_name ?? undefined,
    lastSeenIp: device.last_seen_ip ?? undefined,
    lastSeenUserAgent: device.last_seen_user_agent ?? undefined,
    lastSeenTs: optionalInt64(device.last_seen_ts),
    userId: device.user_id,
  };
}
