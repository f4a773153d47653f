import { isDeepStrictEqual } from 'node:util';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { UploadKeysRequest, UploadKeysResponseSchema } from '@steward/proto/steward/user/v1/keys_pb.ts';
import { requester } from '@steward/rpc';
import type { Update } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { changeKeys } from '../../core/key-changes/change-keys.ts';
import { changeDeviceKeys, type KeyedDevice, withKeyRing } from '../../core/keys/change-device-keys.ts';
import { countOneTimeKeys } from '../../core/keys/count-one-time-keys.ts';
import { type NamedKey, readDeviceKeys, readNamedKeys } from '../../core/keys/read-keys.ts';
import { replaceFallbackKeys } from '../../core/keys/replace-fallback-keys.ts';
import { parseObject, signedContent, without } from '../../core/keys/signed-object.ts';
import { storeOneTimeKeys } from '../../core/keys/store-one-time-keys.ts';
import { type Device, deviceKey } from '../../core/model/device.ts';
import { MAX_ONE_TIME_KEYS, type OneTimeKey, oneTimeKeyId } from '../../core/model/one-time-key.ts';
import { activeSession, sessionEnded } from '../../core/sessions/active-session.ts';

/** The number of one-time keys that are read together. */
const BATCH = 250;

/** Publishes keys of the calling device (client-plane.md 7.6). An upload is refused as a whole, or not at all. */
export async function uploadKeys(
  deps: Deps,
  request: UploadKeysRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof UploadKeysResponseSchema>> {
  const caller = requester(context);
  const { userId, deviceId } = caller;
  if (deviceId === undefined)
    throw refuse.unknown('Keys belong to a device, and this token has none: log in with a device');
  const deviceKeys =
    request.deviceKeys === undefined ? undefined : readDeviceKeys(request.deviceKeys, userId, deviceId);
  if (Object.keys(request.oneTimeKeys).length > MAX_ONE_TIME_KEYS) throw tooManyKeys();
  const oneTimeKeys = readNamedKeys('one_time_keys', request.oneTimeKeys);
  const fallbackKeys = readNamedKeys('fallback_keys', request.fallbackKeys);

  const device = await withKeyRing(deps, deviceKey(userId, deviceId));
  // A later device may have the id by now; the caller's session has ended in that case.
  await activeSession(deps, caller);
  if (!device) throw sessionEnded();
  const unknown = await unknownOf(deps, device, oneTimeKeys);
  const held = await deps.oneTimeKeys.countDocuments({ key_ring: device.key_ring });
  if (held + unknown.length > MAX_ONE_TIME_KEYS) throw tooManyKeys();
  const change = () => changeDeviceKeys(deps, device, (now) => changeOf(now, deviceKeys, fallbackKeys));
  const isShown = deviceKeys !== undefined && deviceKeys !== device.device_keys;
  const changed = isShown ? await changeKeys(deps, userId, change) : await change();
  if (!changed) throw sessionEnded();
  await addOneTimeKeys(deps, device, oneTimeKeys, unknown);
  return { oneTimeKeyCounts: await countOneTimeKeys(deps, device) };
}

function tooManyKeys(): Error {
  return refuse.invalidParam(`A device has at most ${MAX_ONE_TIME_KEYS} one-time keys`);
}

/** The change of a device's identity and fallback keys by an upload; `undefined` when they stay the same. */
function changeOf(
  device: Device,
  deviceKeys: string | undefined,
  uploaded: readonly NamedKey[],
): Pick<Update<Device>, '$set' | '$unset'> | undefined {
  const set: { -readonly [K in keyof Device]?: Device[K] } = {};
  if (deviceKeys !== undefined && deviceKeys !== device.device_keys) set.device_keys = deviceKeys;
  // Signatures cover the content of the keys, so they become stale when it changes.
  const staleSignatures =
    set.device_keys !== undefined && device.device_keys !== undefined
      ? contentOf(set.device_keys) !== contentOf(device.device_keys)
      : false;
  const held = device.fallback_keys ?? [];
  const fallbackKeys = replaceFallbackKeys(held, uploaded);
  if (!isDeepStrictEqual(fallbackKeys, held)) {
    const kept = new Set(held.filter((key) => fallbackKeys.includes(key)).map(({ name }) => name));
    set.fallback_keys = fallbackKeys;
    set.used_fallback_keys = (device.used_fallback_keys ?? []).filter((name) => kept.has(name));
  }
  if (Object.keys(set).length === 0) return undefined;
  return { $set: set, ...(staleSignatures ? { $unset: { cross_signatures: true } } : {}) };
}

function contentOf(keys: string): string {
  return signedContent(parseObject(keys) ?? {});
}

/**
 * The keys of an upload that the device does not have yet.
 *
 * @throws refuse.unknown when it has another key of the same name
 */
async function unknownOf(
  deps: Deps,
  { key_ring }: KeyedDevice,
  keys: readonly NamedKey[],
): Promise<readonly NamedKey[]> {
  const known = new Map<string, OneTimeKey>();
  for (let start = 0; start < keys.length; start += BATCH) {
    const ids = keys.slice(start, start + BATCH).map(({ name }) => oneTimeKeyId(key_ring, name));
    for (const key of await deps.oneTimeKeys.find({ _id: { $in: ids } }).toArray()) known.set(key.name, key);
  }
  return keys.filter(({ name, key }) => {
    const held = known.get(name);
    // Clients match this text.
    if (held && !isSameKey(held.key, key)) throw refuse.unknown(`One time key ${name} already exists`);
    return !held;
  });
}

/** Whether two keys are equal apart from their signatures: a client that retries an upload signs again. */
function isSameKey(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [parseObject(one), parseObject(other)];
  if (!a || !b) return false;
  return isDeepStrictEqual(without(a, 'signatures'), without(b, 'signatures'));
}

/** Inserts the `unknown` keys of an upload; a concurrent request may insert the same ones. */
async function addOneTimeKeys(
  deps: Deps,
  device: KeyedDevice,
  keys: readonly NamedKey[],
  unknown: readonly NamedKey[],
): Promise<void> {
  if (unknown.length === 0) return;
  // Missing keys are not inserted again: they have already been handed out.
  if (!(await storeOneTimeKeys(deps, device, unknown))) await unknownOf(deps, device, keys);
  // A concurrent deletion of the device may have removed its keys before these were inserted.
  const { _id, key_ring } = device;
  if (await deps.devices.findOne({ _id, key_ring }, { projection: { _id: 1 } })) return;
  await deps.oneTimeKeys.deleteMany({ key_ring });
  throw sessionEnded();
}
