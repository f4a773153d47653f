import type { ListDevicesRequest } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { devicesOf } from '../../core/devices/current-devices.ts';
import { isDehydrated } from '../../core/model/device.ts';
import { toDevice } from './render-device.ts';

/**
 * Returns all devices of an account (behaviour.md 3), ascending by device id. Each says whether it is the dehydrated one
 * if there is such a device (behaviour.md 13.1).
 */
export async function listDevices(deps: Deps, request: ListDevicesRequest) {
  const account = await existingAccount(deps, request.userId);
  const devices = await devicesOf(deps, account);
  const marks = devices.some(isDehydrated);
  return {
    devices: devices.map((device) => ({
      ...toDevice(device),
      ...(marks ? { dehydrated: isDehydrated(device) } : {}),
    })),
    total: BigInt(devices.length),
  };
}
