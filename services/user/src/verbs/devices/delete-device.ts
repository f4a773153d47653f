import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import type { DeleteDeviceRequest } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { removalPlan } from '../../core/devices/plan-removal.ts';
import { removeDevices } from '../../core/devices/remove-devices.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/** Deletes a device with its tokens (behaviour.md 3); deleting an unknown one is not an error. */
export async function deleteDevice(deps: Deps, request: DeleteDeviceRequest, context: HandlerContext) {
  await check(deps, request, context);
  await removeDevices(deps, request.userId, [request.deviceId]);
  return {};
}

/** Plans `deleteDevice`. */
export async function planDeleteDevice(
  deps: Deps,
  request: DeleteDeviceRequest,
  context: HandlerContext,
): Promise<Planned> {
  await check(deps, request, context);
  return removalPlan(deps, request.userId, [request.deviceId]);
}

async function check(deps: Deps, { userId }: DeleteDeviceRequest, context: HandlerContext): Promise<void> {
  const account = await existingAccount(deps, userId);
  await requireAuthority(deps, requester(context), account);
}
