import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { optionalInt64 } from '@steward/kernel';
import type {
  GetOwnDeviceRequest,
  OwnDeviceSchema,
  UpdateOwnDeviceRequest,
} from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import { requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { devicesOf, existingDevice, nameDevice } from '../../core/devices/current-devices.ts';
import type { Device } from '../../core/model/device.ts';

/** All devices of the caller (client-plane.md 7.6), ascending by device id. */
export async function listOwnDevices(deps: Deps, context: HandlerContext) {
  const devices = await devicesOf(deps, await callersAccount(deps, context));
  return { devices: devices.map(toOwnDevice) };
}

/** One device of the caller. */
export async function getOwnDevice(deps: Deps, request: GetOwnDeviceRequest, context: HandlerContext) {
  const account = await callersAccount(deps, context);
  return { device: toOwnDevice(await existingDevice(deps, account, request.deviceId)) };
}

/** Names a device of the caller. */
export async function updateOwnDevice(deps: Deps, request: UpdateOwnDeviceRequest, context: HandlerContext) {
  await nameDevice(deps, await callersAccount(deps, context), request);
  return {};
}

function callersAccount(deps: Deps, context: HandlerContext) {
  return existingAccount(deps, requester(context).userId);
}

function toOwnDevice(device: Device): MessageInitShape<typeof OwnDeviceSchema> {
  return {
    deviceId: device.device_id,
    displayName: device.display_name ?? undefined,
    lastSeenIp: device.last_seen_ip ?? undefined,
    lastSeenTs: optionalInt64(device.last_seen_ts),
    userId: device.user_id,
  };
}
