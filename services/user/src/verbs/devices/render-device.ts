import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type { DeviceSchema } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { type Device, isDehydrated } from '../../core/model/device.ts';

export function toDevice(device: Device): MessageInitShape<typeof DeviceSchema> {
  return {
    deviceId: device.device_id,
    displayName: device.display_name ?? undefined,
    lastSeenIp: device.last_seen_ip ?? undefined,
    lastSeenUserAgent: device.last_seen_user_agent ?? undefined,
    lastSeenTs: optionalInt64(device.last_seen_ts),
    userId: device.user_id,
    ...(isDehydrated(device) ? { dehydrated: true } : {}),
  };
}
