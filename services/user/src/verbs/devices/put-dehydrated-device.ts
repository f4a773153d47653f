import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { accountTopic } from '@steward/events';
import { randomId } from '@steward/kernel';
import type { PutDehydratedDeviceRequest } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { removeLeftover } from '../../core/devices/current-devices.ts';
import {
  dehydratedAggregate,
  removeDehydratedDevice,
  setDehydratedDevice,
} from '../../core/devices/dehydrated-device.ts';
import { isCrossSigningKey } from '../../core/keys/is-cross-signing-key.ts';
import { type NamedKey, readDeviceKeys, readNamedKeys } from '../../core/keys/read-keys.ts';
import { replaceFallbackKeys } from '../../core/keys/replace-fallback-keys.ts';
import { parseObject } from '../../core/keys/signed-object.ts';
import { storeOneTimeKeys } from '../../core/keys/store-one-time-keys.ts';
import type { Account } from '../../core/model/account.ts';
import type { DehydratedDevice } from '../../core/model/dehydrated-device.ts';
import { deviceKey } from '../../core/model/device.ts';
import { MAX_ONE_TIME_KEYS } from '../../core/model/one-time-key.ts';
import { activeSession } from '../../core/sessions/active-session.ts';

/** The longest encrypted private keys, in bytes of JSON; several times what clients store. */
const MAX_DATA_BYTES = 64 * 1024;
/** The age of one-time keys after which no request can still publish them, in milliseconds: an hour. */
const UNPUBLISHED_LIFE_MS = 60 * 60 * 1000;

/** A dehydrated device as a request has it. */
type Given = Omit<DehydratedDevice, 'key_ring' | 'epoch'>;

/**
 * Stores a dehydrated device in place of the caller's previous one (behaviour.md 14.3). Its one-time keys are stored
 * first, and one commit replaces the device with everything else, so a crash leaves the previous device or the new one.
 */
export async function putDehydratedDevice(
  deps: Deps,
  request: PutDehydratedDeviceRequest,
  context: HandlerContext,
) {
  const caller = requester(context);
  const { userId } = caller;
  const given = readDevice(request, userId);
  const oneTimeKeys = readNamedKeys('one_time_keys', request.oneTimeKeys);
  if (oneTimeKeys.length > MAX_ONE_TIME_KEYS)
    throw refuse.invalidParam(`A device has at most ${MAX_ONE_TIME_KEYS} one-time keys`);
  for (;;) {
    const { account } = await activeSession(deps, caller);
    await requireFreeId(deps, account, given.device_id);
    await removeUnpublishedKeys(deps, userId);
    const { epoch } = account.sessions;
    const key_ring = randomId(deps.random);
    await store(deps, userId, { ...given, key_ring, epoch }, oneTimeKeys);
    const current = await deps.accounts.findOne({ _id: userId }, { projection: { sessions: 1 } });
    if (current?.sessions.epoch === epoch && !(await isOtherDevice(deps, userId, given.device_id)))
      return { deviceId: given.device_id };
    // A concurrent end of the sessions may have removed the devices before this one was stored; the caller's session
    // may be the one that was spared. Or a concurrent login has taken the id.
    await removeDehydratedDevice(deps, userId, (device) => device.key_ring === key_ring);
  }
}

/** @throws refuse.invalidParam, refuse.missingParam, refuse.badJson, refuse.tooLong */
function readDevice(request: PutDehydratedDeviceRequest, userId: string): Given {
  const { deviceId, deviceData, deviceKeys, fallbackKeys, initialDeviceDisplayName } = request;
  if (deviceId === '') throw refuse.invalidParam("'device_id' must not be empty");
  const data = parseObject(deviceData);
  if (!data) throw refuse.badJson("'device_data' must be an object");
  if (data.algorithm === undefined) throw refuse.missingParam("'device_data.algorithm' is missing");
  if (typeof data.algorithm !== 'string') throw refuse.badJson("'device_data.algorithm' must be a string");
  if (Buffer.byteLength(deviceData) > MAX_DATA_BYTES)
    throw refuse.tooLong(`'device_data' has more than ${MAX_DATA_BYTES} bytes`);
  return {
    device_id: deviceId,
    display_name: initialDeviceDisplayName ?? null,
    device_data: deviceData,
    device_keys: readDeviceKeys(deviceKeys, userId, deviceId),
    fallback_keys: replaceFallbackKeys([], readNamedKeys('fallback_keys', fallbackKeys)),
  };
}

/** @throws refuse.invalidParam when the id is that of another device, or of a cross-signing key */
async function requireFreeId(deps: Deps, account: Account, deviceId: string): Promise<void> {
  await removeLeftover(deps, account, deviceId);
  if (await isOtherDevice(deps, account._id, deviceId))
    throw refuse.invalidParam('Another device of yours has this id');
  if (await isCrossSigningKey(deps, account._id, deviceId))
    throw refuse.invalidParam('A key of yours has this id');
}

/** Whether a device with this id exists that is not dehydrated. */
async function isOtherDevice(deps: Deps, userId: string, deviceId: string): Promise<boolean> {
  const filter = { _id: deviceKey(userId, deviceId), dehydrated: null };
  return (await deps.devices.findOne(filter, { projection: { _id: 1 } })) !== null;
}

async function store(
  deps: Deps,
  userId: string,
  device: DehydratedDevice,
  oneTimeKeys: readonly NamedKey[],
): Promise<void> {
  await storeOneTimeKeys(deps, { ...device, user_id: userId, device_id: null }, oneTimeKeys);
  await setDehydratedDevice(deps, userId, device);
  deps.bus.notify(accountTopic(userId));
}

/** Removes the one-time keys of requests that crashed before they stored their device. */
async function removeUnpublishedKeys(deps: Deps, userId: string): Promise<void> {
  const slot = await dehydratedAggregate.load(deps, userId);
  const devices = await deps.devices.find({ user_id: userId }, { projection: { key_ring: 1 } }).toArray();
  const published = [slot?.device, ...devices].flatMap((device) => device?.key_ring ?? []);
  await deps.oneTimeKeys.deleteMany({
    user_id: userId,
    key_ring: { $nin: published },
    uploaded_ts: { $lt: deps.clock.now() - UNPUBLISHED_LIFE_MS },
  });
}
