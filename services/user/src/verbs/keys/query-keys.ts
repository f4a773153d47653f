import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { QueryKeysRequest, QueryKeysResponseSchema } from '@steward/proto/steward/user/v1/keys_pb.ts';
import { requester } from '@steward/rpc';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { publicKeyOf } from '../../core/keys/read-keys.ts';
import { parseObject, withSignatures } from '../../core/keys/signed-object.ts';
import {
  type CrossSigningKeys,
  type KeySignatures,
  keySignaturesId,
} from '../../core/model/cross-signing-keys.ts';
import { type Device, deviceKey } from '../../core/model/device.ts';
import { jsonObject, parseByUser } from './parse-by-user.ts';

/** The maximum of users in a request; clients name 250. */
const MAX_USERS = 10_000;
/** The number of users or named devices that are read together. */
const BATCH = 200;
/** The maximum of devices of one user in a response; no client sends to more. */
const MAX_DEVICES_OF_USER = 1_000;
/** The maximum of devices that are read for one batch of users. */
const MAX_DEVICES_OF_BATCH = 20_000;
/** The longest response, in characters of JSON: about ten thousand devices. */
const MAX_RESPONSE_CHARS = 16 * 1024 * 1024;

/**
 * Returns the published keys of users and their devices (client-plane.md 7.6). Unknown users of this server
 * have none; other servers are listed as failures.
 */
export async function queryKeys(
  deps: Deps,
  request: QueryKeysRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof QueryKeysResponseSchema>> {
  const { userId: caller } = requester(context);
  if (Object.keys(request.deviceKeys).length > MAX_USERS)
    throw refuse.invalidParam(`At most ${MAX_USERS} users may be named`);
  const { local, failures } = parseByUser(deps, 'device_keys', request.deviceKeys, readDeviceIds);
  return {
    deviceKeys: await deviceKeysOf(deps, local),
    failures,
    ...(await crossSigningKeysOf(deps, [...local.keys()], caller)),
  };
}

function readDeviceIds(value: unknown): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.every((id) => typeof id === 'string');
  return isList ? value : undefined;
}

/** For each user an object with the keys of their devices: all, or the named ones. */
async function deviceKeysOf(
  deps: Deps,
  requested: ReadonlyMap<string, readonly string[]>,
): Promise<Record<string, string>> {
  const found = new Map([...requested.keys()].map((userId) => [userId, new Map<string, string>()]));
  let chars = 0;
  const collect = async (filter: Filter<Device>) => {
    let read = 0;
    const devices = deps.devices.find(filter, {
      sort: { user_id: 1, device_id: 1, _id: 1 },
      projection: { user_id: 1, device_id: 1, display_name: 1, device_keys: 1, cross_signatures: 1 },
    });
    for await (const device of devices) {
      const keys = publishedKeys(device);
      const shown = found.get(device.user_id);
      if (++read > MAX_DEVICES_OF_BATCH || chars > MAX_RESPONSE_CHARS)
        throw refuse.tooLarge('There are too many devices for one response: name fewer users');
      if (keys === undefined || !shown || shown.size >= MAX_DEVICES_OF_USER) continue;
      shown.set(device.device_id, keys);
      chars += keys.length;
    }
  };

  const whole = [...requested].filter(([, deviceIds]) => deviceIds.length === 0).map(([userId]) => userId);
  for (let start = 0; start < whole.length; start += BATCH) {
    await collect({ user_id: { $in: whole.slice(start, start + BATCH) } });
    await yieldToEventLoop();
  }
  const named = [...requested].flatMap(([userId, ids]) =>
    [...new Set(ids)].map((id) => deviceKey(userId, id)),
  );
  for (let start = 0; start < named.length; start += BATCH) {
    await collect({ _id: { $in: named.slice(start, start + BATCH) } });
    await yieldToEventLoop();
  }
  return Object.fromEntries([...found].map(([userId, devices]) => [userId, jsonObject(devices)]));
}

/** The identity keys of a device as others see them. */
function publishedKeys(device: Device): string | undefined {
  const { user_id, display_name, device_keys, cross_signatures } = device;
  const keys = device_keys === undefined ? undefined : parseObject(device_keys);
  if (!keys) return undefined;
  const unsigned = display_name === null ? {} : { device_display_name: display_name };
  return JSON.stringify({ ...withSignatures(keys, user_id, cross_signatures), unsigned });
}

/** The cross-signing keys of users as the caller sees them: of other users' signatures, only the caller's. */
async function crossSigningKeysOf(deps: Deps, userIds: readonly string[], caller: string) {
  const masterKeys = new Map<string, string>();
  const selfSigningKeys = new Map<string, string>();
  const userSigningKeys = new Map<string, string>();
  for (let start = 0; start < userIds.length; start += BATCH) {
    await yieldToEventLoop();
    const batch = userIds.slice(start, start + BATCH);
    const held = await deps.crossSigningKeys.find({ _id: { $in: batch } }).toArray();
    const ids = held.map(({ _id }) => keySignaturesId(caller, _id));
    const signatures = await deps.keySignatures.find({ _id: { $in: ids } }).toArray();
    const byId = new Map(signatures.map((made) => [made._id, made]));
    for (const keys of held) {
      masterKeys.set(keys._id, signedMaster(keys, byId.get(keySignaturesId(caller, keys._id))));
      if (keys.self_signing !== null) selfSigningKeys.set(keys._id, keys.self_signing);
      if (keys.user_signing !== null && keys._id === caller) userSigningKeys.set(keys._id, keys.user_signing);
    }
  }
  return {
    masterKeys: Object.fromEntries(masterKeys),
    selfSigningKeys: Object.fromEntries(selfSigningKeys),
    userSigningKeys: Object.fromEntries(userSigningKeys),
  };
}

function signedMaster(keys: CrossSigningKeys, made: KeySignatures | undefined): string {
  const master = withSignatures(parseObject(keys.master) ?? {}, keys._id, keys.master_signatures);
  const counts = made && made.master_key === publicKeyOf(master);
  return JSON.stringify(counts ? withSignatures(master, made.user_id, made.signatures) : master);
}
