import { Conflict, removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { KeyedDevice } from '../keys/change-device-keys.ts';
import { isDehydrated } from '../model/device.ts';
import {
  type DeviceMessage,
  type DeviceTransaction,
  deviceMessageId,
  REMEMBERED_MS,
} from '../model/device-message.ts';
import type { Settings } from '../settings.ts';
import { release, reserve } from './queue-space.ts';

/** The most messages in one response, and their size in characters, after which it ends. */
const MAX_MESSAGES = 100;
const TARGET_CHARS = 1024 * 1024;

/** Responses are numbered at random, so that concurrent ones of a device have different numbers. */
const RESPONSE_NUMBERS = 2 ** 40;

/** Names the messages of one sync response, which the next request of the client acknowledges. */
export interface Delivery {
  /** The number of the response. */
  readonly response: number;
  /** The latest time of arrival among its messages. */
  readonly sent: number;
}

/**
 * Adds a message to the queue of a device. A repetition adds nothing, also after the device has received the message. A
 * full queue stays as it is: the message is dropped.
 */
export async function enqueue(
  deps: Pick<
    Deps,
    'clock' | 'deviceMessages' | 'deviceQueues' | 'devices' | 'droppedMessages' | 'nextMessageTime'
  >,
  device: KeyedDevice,
  transaction: DeviceTransaction,
  content: string,
): Promise<void> {
  const { _id, key_ring: queue, user_id, device_id, epoch } = device;
  const bytes = Buffer.byteLength(content);
  if (!(await reserve(deps, device, bytes))) {
    deps.droppedMessages.add({});
    return;
  }
  const { sender, type } = transaction;
  try {
    await deps.deviceMessages.insertOne({
      _id: deviceMessageId(queue, transaction),
      queue,
      user_id,
      device_id: isDehydrated(device) ? null : device_id,
      epoch,
      sent: deps.nextMessageTime(),
      sender,
      type,
      content,
      bytes,
      responses: [],
      received_ts: 0,
    });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    await release(deps, queue, { messages: 1, bytes });
  }
  // A concurrent deletion of the device may have removed its messages before this one was stored.
  if (await deps.devices.findOne({ _id, key_ring: queue }, { projection: { _id: 1 } })) return;
  await deps.deviceMessages.deleteMany({ queue });
  await deps.deviceQueues.deleteOne({ _id: queue });
}

/** Marks the messages of a response as received: they are never delivered again. Safe to repeat. */
export async function acknowledge(
  deps: Pick<Deps, 'deviceMessages' | 'deviceQueues' | 'clock'>,
  queue: string,
  { response, sent }: Delivery,
): Promise<void> {
  const delivered = { queue, received_ts: 0, sent: { $lte: sent }, responses: response };
  const found = await deps.deviceMessages.find(delivered, { projection: { bytes: 1, _id: 0 } }).toArray();
  if (found.length === 0) return;
  const { modifiedCount: messages } = await deps.deviceMessages.updateMany(delivered, {
    $set: { received_ts: deps.clock.now(), content: '', bytes: 0 },
  });
  // Otherwise a concurrent repetition has marked some of them: nothing is released twice.
  if (messages !== found.length) return;
  const bytes = found.reduce((sum, message) => sum + (message.bytes ?? 0), 0);
  await release(deps, queue, { messages, bytes });
}

/** Returns the oldest messages that wait in a queue and arrived after a time. */
export async function readWaiting(
  deps: Pick<Deps, 'deviceMessages'>,
  queue: string,
  after = 0,
): Promise<readonly DeviceMessage[]> {
  const messages: DeviceMessage[] = [];
  let chars = 0;
  const waiting = deps.deviceMessages.find(
    { queue, received_ts: 0, sent: { $gt: after } },
    { sort: { sent: 1, _id: 1 }, limit: MAX_MESSAGES },
  );
  for await (const message of waiting) {
    messages.push(message);
    chars += message.content.length;
    if (chars >= TARGET_CHARS) break;
  }
  return messages;
}

/**
 * Returns the oldest waiting messages for a response, which is recorded with each: of two concurrent responses the device
 * may receive either, and acknowledges only the messages of that one.
 */
export async function deliver(
  deps: Pick<Deps, 'deviceMessages' | 'random'>,
  queue: string,
): Promise<{ readonly messages: readonly DeviceMessage[]; readonly delivery: Delivery | undefined }> {
  const messages = await readWaiting(deps, queue);
  const last = messages.at(-1);
  if (!last) return { messages, delivery: undefined };
  const delivery = { response: 1 + deps.random.below(RESPONSE_NUMBERS), sent: last.sent };
  await deps.deviceMessages.updateMany(
    { _id: { $in: messages.map(({ _id }) => _id) }, received_ts: 0 },
    { $addToSet: { responses: delivery.response } },
  );
  return { messages, delivery };
}

/** Forgets messages that were received so long ago that no request repeats them. Safe to run in several processes concurrently. */
export async function pruneReceived(deps: Pick<Deps, 'deviceMessages' | 'clock'>): Promise<void> {
  const before = deps.clock.now() - REMEMBERED_MS;
  await removeInBatches(deps.deviceMessages, { received_ts: { $gt: 0, $lt: before } });
}

/**
 * Removes messages that no device has fetched for as long as the settings keep them. Safe to run in several processes
 * concurrently.
 */
export async function pruneWaiting(
  deps: Pick<Deps, 'deviceMessages' | 'clock'> & { readonly settings: Pick<Settings, 'deviceMessagesMs'> },
): Promise<void> {
  const { deviceMessagesMs } = deps.settings;
  if (deviceMessagesMs === undefined) return;
  const before = deps.clock.now() - deviceMessagesMs;
  await removeInBatches(deps.deviceMessages, { received_ts: 0, sent: { $lt: before } });
}
