import type { Random } from '@steward/kernel';
import { path } from '@steward/testing';
import type { Caller } from './caller.ts';
import { CLIENT, createOwner, createSharedRoom, type OwnerOptions, sendMessage } from './owner.ts';

const TYPE = 'test.number';

/** The most messages that one step sends. */
const MOST_MESSAGES = 5;

/** What a device receives with one request. */
interface Received {
  readonly next_batch: string;
  readonly to_device?: { readonly events: readonly { readonly content: { readonly number: number } }[] };
  readonly rooms?: {
    readonly join?: Readonly<
      Record<string, { readonly ephemeral?: { readonly events: readonly Ephemeral[] } }>
    >;
  };
}

interface Ephemeral {
  readonly type: string;
  readonly content: Readonly<Record<string, { readonly 'm.read'?: Readonly<Record<string, unknown>> }>>;
}

/**
 * A device that sends numbered messages to another one, which acknowledges them by its requests; and a user who reads in a room,
 * in which another one sees how far.
 */
export interface DeviceClient {
  /** How many messages and receipts were acknowledged. */
  readonly accepted: { messages: number; receipts: number };
  step(): Promise<void>;
  /** Receives what is left; returns the differences. */
  check(caller: Caller): Promise<readonly string[]>;
}

/** The parameters of a device client. */
export interface DeviceClientOptions extends OwnerOptions {
  readonly random: Random;
}

/** Creates two users with a device each, and a room of both. */
export async function createDeviceClient(options: DeviceClientOptions): Promise<DeviceClient> {
  const { name, random, caller } = options;
  const sender = await createOwner(options, 'sender');
  const receiver = await createOwner(options, 'receiver');
  const roomId = await createSharedRoom(caller, sender, receiver);
  const accepted = { messages: 0, receipts: 0 };
  const faults: string[] = [];
  const numbers: number[] = [];
  /** The events of the room that the sender has sent, and how far the receiver is known to have read, by the sender. */
  const events: string[] = [];
  let read = -1;
  let seen = -1;
  const since: Partial<Record<'sender' | 'receiver', string>> = {};

  const receive = async (by: Caller, who: 'sender' | 'receiver'): Promise<Received> => {
    const { token } = who === 'sender' ? sender : receiver;
    const from = since[who] === undefined ? '' : `&since=${encodeURIComponent(since[who])}`;
    const answer = await by.must([200], 'GET', `${CLIENT}/sync?timeout=0${from}`, { token });
    since[who] = answer.body.next_batch;
    return answer.body;
  };
  const receiveMessages = async (by: Caller): Promise<boolean> => {
    const received = (await receive(by, 'receiver')).to_device?.events ?? [];
    for (const { content } of received) {
      const expected = numbers.length + 1;
      if (content.number !== expected)
        faults.push(`${receiver.userId} received message ${content.number} instead of ${expected}`);
      numbers.push(content.number);
    }
    return received.length > 0;
  };
  const receiveReceipts = async (by: Caller): Promise<void> => {
    const room = (await receive(by, 'sender')).rooms?.join?.[roomId];
    for (const { type, content } of room?.ephemeral?.events ?? []) {
      if (type !== 'm.receipt') continue;
      for (const [eventId, readers] of Object.entries(content)) {
        if (readers['m.read']?.[receiver.userId] === undefined) continue;
        const position = events.indexOf(eventId);
        if (position < seen)
          faults.push(`the receipt of ${receiver.userId} went back from event ${seen} to ${position}`);
        seen = position;
      }
    }
  };
  const sendMessages = async (): Promise<void> => {
    for (let left = 1 + random.below(MOST_MESSAGES); left > 0; left--) {
      const number = accepted.messages + 1;
      const at = `${CLIENT}${path`/sendToDevice/${TYPE}/${`${name}-${number}`}`}`;
      const messages = { [receiver.userId]: { [receiver.deviceId]: { number } } };
      await caller.must([200], 'PUT', at, { token: sender.token, body: { messages } });
      accepted.messages = number;
    }
  };
  const readOn = async (): Promise<void> => {
    const eventId = await sendMessage(caller, sender, roomId, `${name}-${events.length}`);
    events.push(eventId);
    const at = `${CLIENT}${path`/rooms/${roomId}/receipt/m.read/${eventId}`}`;
    await caller.must([200], 'POST', at, { token: receiver.token, body: {} });
    read = events.length - 1;
    accepted.receipts++;
  };
  const steps = [
    sendMessages,
    readOn,
    async () => {
      await receiveMessages(caller);
    },
    () => receiveReceipts(caller),
  ];
  return {
    accepted,
    async step() {
      await steps[random.below(steps.length)]?.();
    },
    async check(by) {
      while (await receiveMessages(by)) {
        // Until nothing is left.
      }
      await receiveReceipts(by);
      if (numbers.length !== accepted.messages)
        faults.push(`${receiver.userId} received ${numbers.length} of ${accepted.messages} messages`);
      if (seen !== read) faults.push(`${sender.userId} saw the receipt of event ${seen} instead of ${read}`);
      return faults;
    },
  };
}
