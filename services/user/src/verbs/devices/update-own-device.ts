import type { HandlerContext } from '@connectrpc/connect';
import type { UpdateOwnDeviceRequest } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { nameDevice } from '../../core/devices/current-devices.ts';
import { callersAccount } from './own-devices.ts';

/** Renames a device of the caller. */
export async function updateOwnDevice(deps: Deps, request: UpdateOwnDeviceRequest, context: HandlerContext) {
  await nameDevice(deps, await callersAccount(deps, context), request);
  return {};
}
