import type { HandlerContext } from '@connectrpc/connect';
import type { Deps } from '../../core/deps.ts';
import { existingDehydratedDevice } from '../../core/devices/dehydrated-device.ts';
import { callersAccount } from './own-devices.ts';

/** Returns the dehydrated device of the caller (behaviour.md 14.3). */
export async function getDehydratedDevice(deps: Deps, context: HandlerContext) {
  const account = await callersAccount(deps, context);
  const { device_id: deviceId, device_data: deviceData } = await existingDehydratedDevice(deps, account);
  return { deviceId, deviceData };
}
