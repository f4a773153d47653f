import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import { isObject } from '@steward/kernel';
import type { ClaimKeysRequest, ClaimKeysResponseSchema } from '@steward/proto/steward/user/v1/keys_pb.ts';
import pLimit from 'p-limit';
import type { Deps } from '../../core/deps.ts';
import { changeDeviceKeys, isKeyed, type KeyedDevice } from '../../core/keys/change-device-keys.ts';
import type { NamedKey } from '../../core/keys/read-keys.ts';
import { type Device, deviceKey } from '../../core/model/device.ts';
import { algorithmOf, type OneTimeKey } from '../../core/model/one-time-key.ts';
import { jsonObject, parseByUser } from './parse-by-user.ts';

/** The maximum of devices in a request: more than the largest room has. */
const MAX_DEVICES = 10_000;
/** The number of devices that are read together. */
const BATCH = 500;
/** The number of keys that are claimed concurrently. */
const CONCURRENT_CLAIMS = 16;

/**
 * Claims one key of each named device (client-plane.md 12). A one-time key is handed out once: of concurrent
 * requests, the one that deletes the key gets it. A device without one-time keys hands out its fallback key; a
 * device that has neither, or does not exist, is omitted.
 */
export async function claimKeys(
  deps: Deps,
  request: ClaimKeysRequest,
): Promise<MessageInitShape<typeof ClaimKeysResponseSchema>> {
  if (Object.keys(request.oneTimeKeys).length > MAX_DEVICES) throw tooManyDevices();
  const { local, failures } = parseByUser(deps, 'one_time_keys', request.oneTimeKeys, readAlgorithms);
  const requested = [...local].flatMap(([userId, algorithms]) =>
    [...algorithms].map(([deviceId, algorithm]) => ({ id: deviceKey(userId, deviceId), algorithm })),
  );
  if (requested.length > MAX_DEVICES) throw tooManyDevices();

  const found = new Map<string, Map<string, string>>();
  const limited = pLimit(CONCURRENT_CLAIMS);
  for (let start = 0; start < requested.length; start += BATCH) {
    const batch = requested.slice(start, start + BATCH);
    const devices = await devicesOf(
      deps,
      batch.map(({ id }) => id),
    );
    const claims = batch.map(({ id, algorithm }) =>
      limited(async () => {
        const device = devices.get(id);
        const key = device && (await claimKey(deps, device, algorithm));
        if (!key) return;
        const { user_id, device_id } = device;
        const keys = found.get(user_id) ?? new Map<string, string>();
        found.set(user_id, keys.set(device_id, jsonObject([[key.name, key.key]])));
      }),
    );
    await Promise.all(claims);
    await yieldToEventLoop();
  }
  return {
    oneTimeKeys: Object.fromEntries([...found].map(([userId, keys]) => [userId, jsonObject(keys)])),
    failures,
  };
}

function tooManyDevices(): Error {
  return refuse.invalidParam(`At most ${MAX_DEVICES} devices may be named`);
}

/** The requested algorithm, by device id. */
function readAlgorithms(value: unknown): ReadonlyMap<string, string> | undefined {
  if (!isObject(value)) return undefined;
  const algorithms = new Map<string, string>();
  for (const [deviceId, algorithm] of Object.entries(value)) {
    if (typeof algorithm !== 'string') return undefined;
    algorithms.set(deviceId, algorithm);
  }
  return algorithms;
}

async function devicesOf(deps: Deps, ids: readonly string[]): Promise<ReadonlyMap<string, KeyedDevice>> {
  const devices = await deps.devices
    .find(
      { _id: { $in: ids } },
      { projection: { user_id: 1, device_id: 1, key_ring: 1, fallback_keys: 1, used_fallback_keys: 1 } },
    )
    .toArray();
  return new Map(devices.filter(isKeyed).map((device) => [device._id, device]));
}

async function claimKey(deps: Deps, device: KeyedDevice, algorithm: string): Promise<NamedKey | undefined> {
  return (await claimOneTimeKey(deps, device, algorithm)) ?? claimFallbackKey(deps, device, algorithm);
}

async function claimOneTimeKey(
  deps: Deps,
  { key_ring }: KeyedDevice,
  algorithm: string,
): Promise<OneTimeKey | undefined> {
  for (;;) {
    const oldest = await deps.oneTimeKeys.findOne(
      { key_ring, algorithm },
      { sort: { uploaded_ts: 1, _id: 1 } },
    );
    if (!oldest) return undefined;
    const { deletedCount } = await deps.oneTimeKeys.deleteOne({ _id: oldest._id });
    if (deletedCount > 0) return oldest;
  }
}

/** The fallback key of an algorithm; it is marked as used before it is handed out. */
async function claimFallbackKey(
  deps: Deps,
  device: KeyedDevice,
  algorithm: string,
): Promise<NamedKey | undefined> {
  if (!fallbackKeyOf(device, algorithm)) return undefined;
  const claimed = await changeDeviceKeys(deps, device, (now) => {
    const key = fallbackKeyOf(now, algorithm);
    return key && !now.used_fallback_keys?.includes(key.name)
      ? { $addToSet: { used_fallback_keys: key.name } }
      : undefined;
  });
  return claimed && fallbackKeyOf(claimed, algorithm);
}

function fallbackKeyOf({ fallback_keys: keys }: Device, algorithm: string): NamedKey | undefined {
  return keys?.find(({ name }) => algorithmOf(name) === algorithm);
}
