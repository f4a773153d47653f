import { jetstream, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { fromEnvelope } from '../envelope.ts';
import { BusUnavailable } from '../errors.ts';
import type { OutgoingEvent } from '../outgoing.ts';
import { type Broker, clientOptions, refusalIn } from './broker.ts';
import { ensureStreams } from './ensure-streams.ts';
import { find } from './find.ts';
import { namesIn } from './names.ts';
import { readMessages } from './read-messages.ts';

/** The name of the clients of commands on the broker. */
export const COMMAND_CLIENT = 'steward-operator';

/** How long one request to the broker may take, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** The headers that belong to a message; the broker adds others when it is read. */
const OWN_HEADER = /^(?:Nats-Msg-Id|Steward-)/;

/** A message of a stream, as JSON. */
export interface CopiedMessage {
  /** Its subject without the namespace. */
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The envelope of the event, in base64. */
  readonly data: string;
}

/** The facts that the broker has at a moment. */
export interface Position {
  /** The number of the first fact that a consumer may not have handled yet. */
  readonly unhandled: number;
  /** The number of the last fact. */
  readonly last: number;
}

/** The streams of a server, for copying them. */
export interface StreamCopy {
  position(): Promise<Position>;
  /** The facts with these numbers, in order. */
  facts(first: number, last: number): AsyncIterable<CopiedMessage>;
  deadLetters(): AsyncIterable<CopiedMessage>;
  /** Whether neither stream has messages. */
  isEmpty(): Promise<boolean>;
  /**
   * Removes both streams, with their consumers, and those that are not copied: the stream of broadcasts, and the public one,
   * whose events the store has.
   */
  remove(): Promise<void>;
  /** Stores messages in the streams of this server, in order, and creates the streams when they are missing. */
  store(messages: AsyncIterable<CopiedMessage>): Promise<void>;
  close(): Promise<void>;
}

/** The event in a copied message. */
export function copiedEvent({ data }: CopiedMessage): OutgoingEvent {
  return fromEnvelope(Buffer.from(data, 'base64'));
}

/**
 * Connects to the streams of a server on its broker.
 *
 * @throws BusUnavailable when the broker cannot be reached
 * @throws BusRefused when it refuses the credentials, or the two cannot agree on TLS
 */
export async function openStreamCopy(options: {
  readonly broker: Broker;
  readonly namespace: string;
}): Promise<StreamCopy> {
  const names = namesIn(options.namespace);
  const client = clientOptions(options.broker, COMMAND_CLIENT);
  const connection = await connect({ ...client, timeout: TIMEOUT_MS }).catch((cause: Error) => {
    const { servers } = client;
    throw (
      refusalIn(cause, servers) ??
      new BusUnavailable(`The broker at ${servers.join(', ')} cannot be reached: ${cause.message}`, { cause })
    );
  });
  const js = jetstream(connection, { timeout: TIMEOUT_MS });
  const jsm = await jetstreamManager(connection, { timeout: TIMEOUT_MS });
  const stateOf = async (stream: string) => (await find(jsm.streams.info(stream)))?.state;
  const copied = ({ subject, header, data }: StoredMsg): CopiedMessage => ({
    subject: subject.slice(options.namespace.length),
    headers: Object.fromEntries(
      [...header.keys()].filter((key) => OWN_HEADER.test(key)).map((key) => [key, header.get(key)]),
    ),
    data: Buffer.from(data).toString('base64'),
  });
  return {
    async position() {
      const last = (await stateOf(names.stream))?.last_seq ?? 0;
      let handled = last;
      if (last > 0) {
        let consumers = 0;
        for await (const { num_pending, num_ack_pending, ack_floor } of jsm.consumers.list(names.stream)) {
          consumers++;
          // The floor of a consumer that has nothing left to do is that of the last fact that concerned it.
          if (num_pending + num_ack_pending > 0) handled = Math.min(handled, ack_floor.stream_seq);
        }
        if (consumers === 0) handled = 0;
      }
      return { unhandled: handled + 1, last };
    },
    async *facts(first, last) {
      for await (const message of readMessages(jsm, names.stream, first, last)) yield copied(message);
    },
    async *deadLetters() {
      const state = await stateOf(names.deadLetterStream);
      if (!state || state.messages === 0) return;
      const messages = readMessages(jsm, names.deadLetterStream, state.first_seq, state.last_seq);
      for await (const message of messages) yield copied(message);
    },
    async isEmpty() {
      const states = [await stateOf(names.stream), await stateOf(names.deadLetterStream)];
      return states.every((state) => state === undefined || state.messages === 0);
    },
    async remove() {
      const { stream, deadLetterStream, broadcastStream, publicStream } = names;
      const streams = [stream, deadLetterStream, broadcastStream, publicStream];
      for (const stream of streams) await find(jsm.streams.delete(stream));
    },
    async store(messages) {
      await ensureStreams(jsm, names, 1);
      for await (const { subject, headers: own, data } of messages) {
        const about = headers();
        for (const [key, value] of Object.entries(own)) about.set(key, value);
        await js.publish(`${options.namespace}${subject}`, Buffer.from(data, 'base64'), { headers: about });
      }
    },
    close: () => connection.close(),
  };
}
