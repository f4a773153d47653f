import type { DeleteDeviceRequest } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { removeDevices } from '../../core/devices/remove-devices.ts';

/** Deletes a device with its tokens (behaviour.md 3); deleting an unknown one is not an error. */
export async function deleteDevice(deps: Deps, request: DeleteDeviceRequest) {
  await existingAccount(deps, request.userId);
  await removeDevices(deps, request.userId, [request.deviceId]);
  return {};
}
