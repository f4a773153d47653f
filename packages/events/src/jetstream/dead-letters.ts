import { JetStreamApiError, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { DeadLetter, DeadLetters } from '../bus.ts';
import { describeError } from '../describe-error.ts';
import { fromEnvelope, toEnvelope } from '../envelope.ts';
import { BusUnavailable } from '../errors.ts';
import type { OutgoingEvent } from '../outgoing.ts';
import { find } from './find.ts';
import type { Connection, Link } from './link.ts';
import type { Names } from './names.ts';

/** Headers of a stored dead letter. */
export const DURABLE_HEADER = 'Steward-Durable';
export const ERROR_HEADER = 'Steward-Error';
export const DELIVERIES_HEADER = 'Steward-Deliveries';

const ID = /^[1-9]\d*$/;

/** The broker's error code when it has no message to read. */
const NOT_FOUND = 404;

/** The broker's error code when the message to delete no longer exists. */
const SEQUENCE_NOT_FOUND = 10_043;

/** The dead letters in a stream of the broker; the id of a dead letter is its number in that stream. */
export interface DeadLetterStream extends DeadLetters {
  /**
   * Stores an event that a consumer failed to process.
   *
   * @param delivery identifies the delivery; a duplicate within two minutes is stored once
   * @returns its id
   * @throws Error when the broker did not accept it
   */
  put(
    durable: string,
    event: OutgoingEvent,
    error: unknown,
    deliveries: number,
    delivery: string,
  ): Promise<string>;
}

/** Opens the dead letters of the broker behind a link. */
export function openDeadLetterStream(link: Link, names: Names): DeadLetterStream {
  const send = async <T>(request: (connection: Connection) => Promise<T>): Promise<T> => {
    try {
      return await link.request(request);
    } catch (cause) {
      throw new BusUnavailable('The broker did not answer', { cause });
    }
  };
  const storedDeadLetter = async (jsm: JetStreamManager, id: string) => {
    const seq = seqOf(id);
    return seq === undefined ? null : jsm.streams.getMessage(names.deadLetterStream, { seq });
  };
  /** Returns whether the message still existed. */
  const remove = async (jsm: JetStreamManager, seq: number): Promise<boolean> => {
    try {
      return await jsm.streams.deleteMessage(names.deadLetterStream, seq);
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === SEQUENCE_NOT_FOUND) return false;
      throw error;
    }
  };
  return {
    async put(durable, event, error, deliveries, delivery) {
      const about = headers();
      about.set(DURABLE_HEADER, durable);
      // As JSON, because the text of an error may have several lines.
      about.set(ERROR_HEADER, JSON.stringify(describeError(error)));
      about.set(DELIVERIES_HEADER, String(deliveries));
      const options = { msgID: `${durable}/${delivery}`, headers: about };
      const { seq } = await link.request(({ js }) =>
        js.publish(names.deadLetterSubject(durable), toEnvelope(event), options),
      );
      return String(seq);
    },
    count: () => send(async ({ jsm }) => (await jsm.streams.info(names.deadLetterStream)).state.messages),
    list: ({ limit, after }) =>
      send(async ({ jsm }) => {
        const last = after === undefined ? 0 : seqOf(after);
        const deadLetters: DeadLetter[] = [];
        if (last === undefined) return deadLetters;
        const { state } = await jsm.streams.info(names.deadLetterStream);
        const seq = Math.max(last + 1, state.first_seq);
        if (state.messages === 0 || seq > state.last_seq) return deadLetters;
        try {
          for await (const stored of await jsm.direct.getBatch(names.deadLetterStream, {
            seq,
            batch: limit,
          })) {
            deadLetters.push(toDeadLetter(stored));
          }
        } catch (error) {
          // The newest dead letters were removed, and none is left after `after`.
          if ((error as { code?: unknown }).code !== NOT_FOUND) throw error;
        }
        return deadLetters;
      }),
    find: (id) =>
      send(async ({ jsm }) => {
        const stored = await storedDeadLetter(jsm, id);
        return stored ? toDeadLetter(stored) : undefined;
      }),
    replay: (id) =>
      send(async ({ js, jsm }) => {
        const stored = await storedDeadLetter(jsm, id);
        if (!stored) return false;
        const { durable } = toDeadLetter(stored);
        if (!(await find(jsm.consumers.info(names.stream, durable)))) return false;
        // The broker recognises the repetition of an interrupted replay by the number of the dead letter.
        await js.publish(names.replaySubject(durable), stored.data, { msgID: `replay/${id}` });
        await remove(jsm, stored.seq);
        return true;
      }),
    drop: (id) =>
      send(async ({ jsm }) => {
        const stored = await storedDeadLetter(jsm, id);
        return stored ? remove(jsm, stored.seq) : false;
      }),
  };
}

/** Returns the number in an id; `undefined` for an id that no dead letter can have. */
function seqOf(id: string): number | undefined {
  const seq = Number(id);
  return ID.test(id) && Number.isSafeInteger(seq) ? seq : undefined;
}

function toDeadLetter({ seq, header, data, time }: StoredMsg): DeadLetter {
  return {
    id: String(seq),
    durable: header.get(DURABLE_HEADER),
    event: fromEnvelope(data),
    error: JSON.parse(header.get(ERROR_HEADER)),
    deliveries: Number(header.get(DELIVERIES_HEADER)),
    timeMs: time.getTime(),
  };
}
