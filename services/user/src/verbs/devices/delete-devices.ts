import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import type { DeleteDevicesRequest } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { removalPlan } from '../../core/devices/plan-removal.ts';
import { removeDevices } from '../../core/devices/remove-devices.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/** Deletes several devices with their tokens; unknown ones are ignored. */
export async function deleteDevices(deps: Deps, request: DeleteDevicesRequest, context: HandlerContext) {
  await check(deps, request, context);
  await removeDevices(deps, request.userId, request.devices);
  return {};
}

/** Plans `deleteDevices`. */
export async function planDeleteDevices(
  deps: Deps,
  request: DeleteDevicesRequest,
  context: HandlerContext,
): Promise<Planned> {
  await check(deps, request, context);
  return removalPlan(deps, request.userId, request.devices);
}

async function check(deps: Deps, { userId }: DeleteDevicesRequest, context: HandlerContext): Promise<void> {
  const account = await existingAccount(deps, userId);
  raiseDeferred(context);
  await requireAuthority(deps, requester(context), account);
}
