import { Conflict, NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { KeyedDevice } from '../keys/change-device-keys.ts';
import { isDehydrated } from '../model/device.ts';
import { type DeviceQueue, MAX_WAITING, MAX_WAITING_BYTES } from '../model/device-message.ts';

/** The minimum time between counts of a queue that seems to be full, in milliseconds. */
const RECOUNT_AFTER_MS = 60_000;

type Queues = Pick<Deps, 'deviceMessages' | 'deviceQueues'>;

/**
 * Reserves space in the queue of a device for a message that is about to be stored. A process that crashes before that leaves it
 * reserved; a queue that seems to be full is counted again, at most once in `RECOUNT_AFTER_MS`.
 *
 * @param bytes the size of the content
 * @returns whether there was space
 */
export async function reserve(
  deps: Queues & Pick<Deps, 'clock'>,
  device: KeyedDevice,
  bytes: number,
): Promise<boolean> {
  while (!(await tryReserve(deps, device, bytes))) {
    const queue = await deps.deviceQueues.findOne({ _id: device.key_ring });
    if (!queue) await create(deps, device);
    // Otherwise a concurrent request has just counted it, or released space.
    else if (isFullFor(queue, bytes)) {
      if (queue.counted_ts > deps.clock.now() - RECOUNT_AFTER_MS) return false;
      await recount(deps, queue);
    }
  }
  return true;
}

function isFullFor(queue: DeviceQueue, bytes: number): boolean {
  return queue.messages >= MAX_WAITING || queue.bytes > MAX_WAITING_BYTES - bytes;
}

/** Not flushed: the message, which is stored later, makes it durable. */
async function tryReserve(
  { deviceQueues }: Pick<Deps, 'deviceQueues'>,
  { key_ring }: KeyedDevice,
  bytes: number,
): Promise<boolean> {
  const { matchedCount } = await deviceQueues.updateOne(
    { _id: key_ring, messages: { $lt: MAX_WAITING }, bytes: { $lte: MAX_WAITING_BYTES - bytes } },
    { $inc: { messages: 1, bytes } },
    NOT_FLUSHED,
  );
  return matchedCount > 0;
}

/** Counts the queue of a device for the first time: an import, or an earlier release, may have stored messages in it. */
async function create(deps: Queues & Pick<Deps, 'clock'>, device: KeyedDevice): Promise<void> {
  const { key_ring, user_id, device_id, epoch } = device;
  const counted = {
    _id: key_ring,
    user_id,
    device_id: isDehydrated(device) ? null : device_id,
    epoch,
    ...(await waitingIn(deps, key_ring)),
    counted_ts: deps.clock.now(),
  };
  try {
    await deps.deviceQueues.insertOne(counted, NOT_FLUSHED);
  } catch (error) {
    // A concurrent request has counted it.
    if (!(error instanceof Conflict)) throw error;
  }
}

/** Counts a queue again, unless it changes in between: then its space was counted again, or some was released. */
async function recount(deps: Queues & Pick<Deps, 'clock'>, queue: DeviceQueue): Promise<void> {
  const { _id, messages, bytes } = queue;
  const counted_ts = deps.clock.now();
  const waiting = await waitingIn(deps, _id);
  await deps.deviceQueues.updateOne(
    { _id, messages, bytes },
    { $set: { ...waiting, counted_ts } },
    NOT_FLUSHED,
  );
}

async function waitingIn({ deviceMessages }: Pick<Deps, 'deviceMessages'>, queue: string) {
  const { count, sum } = await deviceMessages.totals({ queue, received_ts: 0 }, 'bytes');
  return { messages: count, bytes: sum };
}

/**
 * Releases the space of messages that wait no longer. If fewer are counted, the queue is counted again with the next message.
 */
export async function release(
  { deviceQueues }: Pick<Deps, 'deviceQueues'>,
  queue: string,
  { messages, bytes }: Pick<DeviceQueue, 'messages' | 'bytes'>,
): Promise<void> {
  const { matchedCount } = await deviceQueues.updateOne(
    { _id: queue, messages: { $gte: messages }, bytes: { $gte: bytes } },
    { $inc: { messages: -messages, bytes: -bytes } },
    NOT_FLUSHED,
  );
  if (matchedCount === 0) await deviceQueues.deleteOne({ _id: queue }, NOT_FLUSHED);
}
