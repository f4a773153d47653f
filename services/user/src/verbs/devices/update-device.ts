import type { HandlerContext } from '@connectrpc/connect';
import type { UpdateDeviceRequest } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { nameDevice } from '../../core/devices/current-devices.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/** Renames a device (behaviour.md 3). A request without a name changes nothing, even for an unknown device. */
export async function updateDevice(deps: Deps, request: UpdateDeviceRequest, context: HandlerContext) {
  const account = await existingAccount(deps, request.userId);
  raiseDeferred(context);
  await requireAuthority(deps, requester(context), account);
  await nameDevice(deps, account, request);
  return {};
}
