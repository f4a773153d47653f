import type { HandlerContext } from '@connectrpc/connect';
import type { Deps } from '../../core/deps.ts';
import { devicesOf } from '../../core/devices/current-devices.ts';
import { isDehydrated } from '../../core/model/device.ts';
import { callersAccount, toOwnDevice } from './own-devices.ts';

/** Returns the devices of the caller, except a dehydrated one (client-plane.md 7.6), ascending by device id. */
export async function listOwnDevices(deps: Deps, context: HandlerContext) {
  const devices = await devicesOf(deps, await callersAccount(deps, context));
  return { devices: devices.filter((device) => !isDehydrated(device)).map(toOwnDevice) };
}
