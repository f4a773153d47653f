import type { HandlerContext } from '@connectrpc/connect';
import type { DeleteDevicesRequest } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { removeDevices } from '../../core/devices/remove-devices.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/** Deletes several devices with their tokens; unknown ones are ignored. */
export async function deleteDevices(deps: Deps, request: DeleteDevicesRequest, context: HandlerContext) {
  const account = await existingAccount(deps, request.userId);
  raiseDeferred(context);
  await requireAuthority(deps, requester(context), account);
  await removeDevices(deps, request.userId, request.devices);
  return {};
}
