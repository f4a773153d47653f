import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { optionalInt64 } from '@steward/kernel';
import type { OwnDeviceSchema } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import { requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import type { Device } from '../../core/model/device.ts';

/** The account of the caller. */
export function callersAccount(deps: Deps, context: HandlerContext) {
  return existingAccount(deps, requester(context).userId);
}

/** The device as its owner sees it. */
export function toOwnDevice(device: Device): MessageInitShape<typeof OwnDeviceSchema> {
  return {
    deviceId: device.device_id,
    displayName: device.display_name ?? undefined,
    lastSeenIp: device.last_seen_ip ?? undefined,
    lastSeenTs: optionalInt64(device.last_seen_ts),
    userId: device.user_id,
  };
}
