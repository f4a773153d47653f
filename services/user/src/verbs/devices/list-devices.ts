import type { ListDevicesRequest } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { devicesOf } from '../../core/devices/current-devices.ts';
import { toDevice } from './render-device.ts';

/** Returns all devices of an account (behaviour.md 3), ascending by device id. */
export async function listDevices(deps: Deps, request: ListDevicesRequest) {
  const account = await existingAccount(deps, request.userId);
  const devices = await devicesOf(deps, account);
  return { devices: devices.map(toDevice), total: BigInt(devices.length) };
}
