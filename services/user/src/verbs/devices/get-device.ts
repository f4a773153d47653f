import type { GetDeviceRequest } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { existingDevice } from '../../core/devices/current-devices.ts';
import { toDevice } from './render-device.ts';

/** Returns one device. */
export async function getDevice(deps: Deps, request: GetDeviceRequest) {
  const account = await existingAccount(deps, request.userId);
  return { device: toDevice(await existingDevice(deps, account, request.deviceId)) };
}
