import type { HandlerContext } from '@connectrpc/connect';
import type { DeleteOwnDeviceRequest } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { removeDevices } from '../../core/devices/remove-devices.ts';
import { requireInteractiveAuth } from '../../core/interactive-auth/require-interactive-auth.ts';

/** Deletes a device of the caller with everything that belongs to it (client-plane.md 7.6). */
export async function deleteOwnDevice(
  deps: Deps,
  { deviceId, auth }: DeleteOwnDeviceRequest,
  context: HandlerContext,
) {
  await requireInteractiveAuth(deps, context, {
    operation: `DELETE devices/${deviceId}`,
    auth,
    body: () => null,
    recentSuffices: true,
  });
  await removeDevices(deps, requester(context).userId, [deviceId]);
  return {};
}
