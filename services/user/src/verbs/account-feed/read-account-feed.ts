import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AccountDataChangeSchema,
  ReadAccountFeedRequest,
} from '@steward/proto/steward/user/v1/account_feed_pb.ts';
import { streamAggregate } from '../../core/account-data/account-data-stream.ts';
import type { Deps } from '../../core/deps.ts';
import { acknowledge, deliver } from '../../core/device-messages/device-queue.ts';
import { writeMessage } from '../../core/device-messages/write-message.ts';
import { readKeyChanges } from '../../core/key-changes/key-change-stream.ts';
import { isKeyed } from '../../core/keys/change-device-keys.ts';
import { countOneTimeKeys } from '../../core/keys/count-one-time-keys.ts';
import { type AccountData, GLOBAL, PUSH_RULES } from '../../core/model/account-data.ts';
import { deviceKey } from '../../core/model/device.ts';
import { algorithmOf } from '../../core/model/one-time-key.ts';
import { pushRulesText } from '../../core/push-rules/push-rules-text.ts';

type Change = MessageInitShape<typeof AccountDataChangeSchema>;

/**
 * Returns the part of a client's sync that belongs to its account (client-plane.md 10.2). All account data of
 * a user fit one response, see `account-data-stream.ts`.
 */
export async function readAccountFeed(deps: Deps, request: ReadAccountFeedRequest) {
  const [data, ofDevice, changedKeys] = await Promise.all([
    readData(deps, request),
    readDevice(deps, request),
    readChangedKeys(deps, request),
  ]);
  return { ...data, ...ofDevice, ...changedKeys };
}

async function readData(deps: Deps, { userId, since, allOfRooms }: ReadAccountFeedRequest) {
  const known = Number(since ?? 0n);
  const position = (await streamAggregate.load(deps, userId))?.version ?? 0;
  const changed =
    position > known
      ? await deps.accountData
          .find(
            { user_id: userId, position: { $gt: known, $lte: position } },
            { sort: { position: 1, _id: 1 } },
          )
          .toArray()
      : [];
  const seen = new Set(changed.map(({ _id }) => _id));
  const ofRooms =
    allOfRooms.length > 0 && position > 0
      ? await deps.accountData.find({ user_id: userId, room_id: { $in: allOfRooms } }).toArray()
      : [];
  const changes = [...changed, ...ofRooms.filter(({ _id }) => !seen.has(_id))].map(toChange);
  const hasPushRules = changes.some(({ roomId, type }) => roomId === GLOBAL && type === PUSH_RULES);
  if (since === undefined && !hasPushRules) {
    changes.push({ roomId: GLOBAL, type: PUSH_RULES, content: pushRulesText(userId, undefined) });
  }
  return { position: BigInt(position), changes };
}

function toChange({ user_id, room_id: roomId, type, content }: AccountData): Change {
  const isPushRules = roomId === GLOBAL && type === PUSH_RULES;
  return { roomId, type, content: isPushRules ? pushRulesText(user_id, content) : content };
}

async function readChangedKeys(deps: Deps, { userId, deviceId, keysSince }: ReadAccountFeedRequest) {
  if (deviceId === undefined) return {};
  const since = keysSince === undefined ? undefined : Number(keysSince);
  return { keyChanges: await readKeyChanges(deps, userId, since) };
}

async function readDevice(deps: Deps, { userId, deviceId, received }: ReadAccountFeedRequest) {
  if (deviceId === undefined) return {};
  const device = await deps.devices.findOne(
    { _id: deviceKey(userId, deviceId) },
    { projection: { key_ring: 1, fallback_keys: 1, used_fallback_keys: 1 } },
  );
  if (!device || !isKeyed(device)) return {};
  const { key_ring: queue } = device;
  if (received)
    await acknowledge(deps, queue, { response: Number(received.response), sent: Number(received.sent) });
  const [{ messages, delivery }, oneTimeKeyCounts] = await Promise.all([
    deliver(deps, queue),
    countOneTimeKeys(deps, device),
  ]);
  const used = new Set(device.used_fallback_keys);
  return {
    oneTimeKeyCounts,
    deviceMessages: messages.map(writeMessage),
    ...(delivery ? { delivery: { response: BigInt(delivery.response), sent: BigInt(delivery.sent) } } : {}),
    unusedFallbackAlgorithms: (device.fallback_keys ?? [])
      .filter(({ name }) => !used.has(name))
      .map(({ name }) => algorithmOf(name)),
  };
}
