import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { DeleteOwnDevicesRequest } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { removeDevices } from '../../core/devices/remove-devices.ts';
import { requireInteractiveAuth } from '../../core/interactive-auth/require-interactive-auth.ts';

/** Deletes several devices of the caller with everything that belongs to them. */
export async function deleteOwnDevices(
  deps: Deps,
  { devices, auth, present }: DeleteOwnDevicesRequest,
  context: HandlerContext,
) {
  const keys = present?.paths ?? [];
  const resumes = auth?.session !== undefined && keys.every((key) => key === 'auth');
  if (!keys.includes('devices') && !resumes) throw refuse.badJson("'devices' is missing");
  const chosen = await requireInteractiveAuth(deps, context, {
    operation: 'POST delete_devices',
    auth,
    presentKeys: keys,
    body: () => devices,
    recentSuffices: true,
  });
  await removeDevices(deps, requester(context).userId, chosen);
  return {};
}
