import type { HandlerContext } from '@connectrpc/connect';
import type { GetOwnDeviceRequest } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { existingDevice } from '../../core/devices/current-devices.ts';
import { callersAccount, toOwnDevice } from './own-devices.ts';

/** Returns one device of the caller. */
export async function getOwnDevice(deps: Deps, request: GetOwnDeviceRequest, context: HandlerContext) {
  const account = await callersAccount(deps, context);
  return { device: toOwnDevice(await existingDevice(deps, account, request.deviceId)) };
}
