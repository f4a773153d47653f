import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { accountTopic } from '@steward/events';
import { isObject, parseUserId } from '@steward/kernel';
import type { SendToDeviceRequest } from '@steward/proto/steward/user/v1/device_messages_pb.ts';
import { requester } from '@steward/rpc';
import pLimit from 'p-limit';
import type { Deps } from '../../core/deps.ts';
import { enqueue } from '../../core/device-messages/device-queue.ts';
import { isKeyed, withKeyRing } from '../../core/keys/change-device-keys.ts';
import { parseObject } from '../../core/keys/signed-object.ts';
import type { Device } from '../../core/model/device.ts';
import { activeSession } from '../../core/sessions/active-session.ts';

/** The longest content of a message, in bytes (client-plane.md 12). */
const MAX_CONTENT_BYTES = 64 * 1024;
/** The longest type or transaction id, in bytes. */
const MAX_NAME_BYTES = 255;
/** The most messages in a request: more than the devices of the largest room. */
const MAX_MESSAGES = 10_000;
/** The number of messages that are stored concurrently. */
const CONCURRENT = 16;
/** Names all devices of a user. */
const ALL_DEVICES = '*';

/** The contents for the devices of one user, by device id or `*`. */
type Contents = ReadonlyMap<string, string>;

/**
 * Sends messages to devices (client-plane.md 12). Each is stored once for each device, however often the device of the
 * caller repeats the transaction. Messages to devices that do not exist, and to other servers, are dropped.
 */
export async function sendToDevice(deps: Deps, request: SendToDeviceRequest, context: HandlerContext) {
  const caller = requester(context);
  const { eventType: type, txnId } = request;
  if (Buffer.byteLength(type) > MAX_NAME_BYTES || Buffer.byteLength(txnId) > MAX_NAME_BYTES)
    throw refuse.invalidParam(`The type and the transaction id have at most ${MAX_NAME_BYTES} bytes`);
  const messages = readMessages(deps, request.messages);
  await activeSession(deps, caller);
  const transaction = { sender: caller.userId, device: caller.deviceId ?? caller.tokenId, type, txnId };
  const limited = pLimit(CONCURRENT);
  for (const [userId, contents] of messages) {
    const devices = await devicesOf(deps, userId, contents);
    const sent = devices.map((found) =>
      limited(async () => {
        const content = contents.get(found.device_id) ?? contents.get(ALL_DEVICES);
        const device = isKeyed(found) ? found : await withKeyRing(deps, found._id);
        if (device && content !== undefined) await enqueue(deps, device, transaction, content);
      }),
    );
    await Promise.all(sent);
    if (sent.length > 0) deps.bus.notify(accountTopic(userId));
  }
  return {};
}

/** @throws refuse.badJson, refuse.invalidParam, refuse.tooLong */
function readMessages(
  { serverName }: Pick<Deps, 'serverName'>,
  byUser: Readonly<Record<string, string>>,
): ReadonlyMap<string, Contents> {
  const messages = new Map<string, Contents>();
  let count = 0;
  for (const [userId, text] of Object.entries(byUser)) {
    const user = parseUserId(userId);
    if (!user) throw refuse.invalidParam("'messages' has a key that is not a user id");
    const contents = Object.entries(parseObject(text) ?? refuseForm()).map(([deviceId, content]) => {
      if (!isObject(content)) refuseForm();
      const written = JSON.stringify(content);
      if (Buffer.byteLength(written) > MAX_CONTENT_BYTES)
        throw refuse.tooLong(`The content of a message has at most ${MAX_CONTENT_BYTES} bytes`);
      return [deviceId, written] as const;
    });
    count += contents.length;
    if (count > MAX_MESSAGES) throw refuse.invalidParam(`A request has at most ${MAX_MESSAGES} messages`);
    if (user.domain === serverName) messages.set(userId, new Map(contents));
  }
  return messages;
}

function refuseForm(): never {
  throw refuse.badJson("'messages' must hold an object by device id for each user id");
}

/** The devices of a user to which messages are sent. */
async function devicesOf(
  deps: Pick<Deps, 'devices'>,
  userId: string,
  contents: Contents,
): Promise<readonly Device[]> {
  const named = contents.has(ALL_DEVICES) ? {} : { device_id: { $in: [...contents.keys()] } };
  const devices = deps.devices.find(
    { user_id: userId, ...named },
    { projection: { user_id: 1, device_id: 1, key_ring: 1, epoch: 1, dehydrated: 1 } },
  );
  return devices.toArray();
}
