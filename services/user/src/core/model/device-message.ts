import { digestOf } from '@steward/kernel';
import { declareCollection, firstId } from '@steward/store';

/** How many messages may wait for a device; further ones are dropped. */
export const MAX_WAITING = 25_000;

/** The size of the contents that may wait for a device, in bytes; what would exceed it is dropped. */
export const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** How long a received message is remembered, in milliseconds, so that its repetition is not delivered again: a day. */
export const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** A message from one device to another, such as the key of an encrypted room. */
export interface DeviceMessage {
  /** See `deviceMessageId`. */
  _id: string;
  /** The key ring of the receiving device, see `Device.key_ring`: a later device with the same id has another queue. */
  queue: string;
  user_id: string;
  /** Null for a dehydrated device, whose messages are removed by `queue`, as its one-time keys are. */
  device_id: string | null;
  /** The session epoch of the receiving device. */
  epoch: number;
  /** Orders the messages of a queue: a time of arrival, see `Deps.nextMessageTime`. */
  sent: number;
  sender: string;
  type: string;
  /** A JSON object; empty once it is received. */
  content: string;
  /** The size of the content in bytes; absent in messages of release 0.2.0, which count as 0. */
  bytes?: number;
  /** The numbers of the sync responses that contained it. */
  responses: readonly number[];
  /** When the device acknowledged it, in milliseconds since the Unix epoch; 0 while it waits. */
  received_ts: number;
}

/**
 * What waits for a device. It may count more than does, after a crash or when old messages are removed, and is counted again when
 * the queue seems to be full; and less by the messages that were being stored during that.
 */
export interface DeviceQueue {
  /** The key ring of the device. */
  _id: string;
  user_id: string;
  /** Null for a dehydrated device. */
  device_id: string | null;
  /** The session epoch of the device when its queue was first counted. */
  epoch: number;
  messages: number;
  bytes: number;
  /** When they were last counted, in milliseconds since the Unix epoch. */
  counted_ts: number;
}

/** The parts of a request by which its repetition is recognised. */
export interface DeviceTransaction {
  readonly sender: string;
  /** The sending device, or the session of a sender without one. */
  readonly device: string;
  readonly type: string;
  readonly txnId: string;
}

/** The key of the message that a transaction has for a queue. A key ring's name holds no space. */
export function deviceMessageId(queue: string, { sender, device, type, txnId }: DeviceTransaction): string {
  return `${queue} ${digestOf([sender, device, type, txnId]).toString('base64url')}`;
}

/** Messages between devices, by the queue of the receiving device. */
export const deviceMessages = declareCollection<DeviceMessage>({
  name: 'user.device_messages',
  shardKey: 'queue',
  shardKeyOfId: firstId,
  indexes: [
    {
      name: 'waiting',
      keys: [
        ['queue', 1],
        ['received_ts', 1],
        ['sent', 1],
      ],
    },
    {
      name: 'by_device',
      keys: [
        ['user_id', 1],
        ['device_id', 1],
      ],
    },
    {
      name: 'received_and_sent',
      keys: [
        ['received_ts', 1],
        ['sent', 1],
      ],
    },
  ],
});

/** The queues of devices. */
export const deviceQueues = declareCollection<DeviceQueue>({
  name: 'user.device_queues',
  shardKey: '_id',
  indexes: [
    {
      name: 'by_device',
      keys: [
        ['user_id', 1],
        ['device_id', 1],
      ],
    },
  ],
});
