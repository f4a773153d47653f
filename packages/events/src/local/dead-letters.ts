import type { Clock } from '@steward/kernel';
import { Conflict, type Doc, declareCollection, removeBatch, type Store } from '@steward/store';
import type { DeadLetter } from '../bus.ts';
import { DEAD_LETTER_RETENTION_MS } from '../dead-letter-retention.ts';
import { describeError } from '../describe-error.ts';
import { fromEnvelope, toEnvelope } from '../envelope.ts';
import type { OutgoingEvent } from '../outgoing.ts';

/** A dead letter as stored; one for each consumer and event. */
export interface StoredDeadLetter extends Doc {
  readonly durable: string;
  /** The envelope with the event, in base64. */
  readonly envelope: string;
  readonly error: string;
  readonly deliveries: number;
  readonly time_ms: number;
}

/** The dead letters of a server in one process. */
export const localDeadLetters = declareCollection<StoredDeadLetter>({
  name: 'bus.dead_letters',
  indexes: [{ name: 'time', keys: [['time_ms', 1]] }],
  shardKey: null,
});

/** The most dead letters that are counted. */
const MAX_COUNTED = 10_000;

/** The maximum number of expired dead letters that one call removes. */
const PRUNE_BATCH = 200;

/** The dead letters of the bus of one process. */
export interface DeadLetterStore {
  /**
   * Stores an event that a consumer failed to process, in place of the dead letter of the same consumer and event.
   * Also removes some of the expired dead letters.
   *
   * @returns its id
   */
  put(durable: string, event: OutgoingEvent, error: unknown, deliveries: number): Promise<string>;
  /** The number of dead letters, counted up to 10,000. */
  count(): Promise<number>;
  list(options: { readonly limit: number; readonly after?: string }): Promise<readonly DeadLetter[]>;
  find(id: string): Promise<DeadLetter | undefined>;
  /** Returns whether the dead letter existed. */
  remove(id: string): Promise<boolean>;
}

/** Opens the dead letters in the collection `bus.dead_letters`. */
export async function openDeadLetterStore(store: Store, clock: Clock): Promise<DeadLetterStore> {
  const deadLetters = await store.collection(localDeadLetters);
  const expiredUntil = () => clock.now() - DEAD_LETTER_RETENTION_MS;
  const prune = async () => {
    const expired = { time_ms: { $lte: expiredUntil() } };
    await removeBatch(deadLetters, expired, { size: PRUNE_BATCH });
  };
  return {
    async put(durable, event, error, deliveries) {
      const content = {
        durable,
        envelope: Buffer.from(toEnvelope(event)).toString('base64'),
        error: describeError(error),
        deliveries,
        time_ms: clock.now(),
      };
      const _id = `${durable}/${event.id}`;
      try {
        await deadLetters.insertOne({ _id, ...content });
      } catch (failure) {
        if (!(failure instanceof Conflict)) throw failure;
        await deadLetters.updateOne({ _id }, { $set: content });
      }
      await prune();
      return _id;
    },
    async count() {
      const kept = { time_ms: { $gt: expiredUntil() } };
      const found = await deadLetters
        .find(kept, { projection: { time_ms: 1 }, limit: MAX_COUNTED })
        .toArray();
      return found.length;
    },
    async list({ limit, after = '' }) {
      const filter = { _id: { $gt: after }, time_ms: { $gt: expiredUntil() } };
      const page = await deadLetters.find(filter, { sort: { _id: 1 }, limit }).toArray();
      return page.map(toDeadLetter);
    },
    async find(id) {
      const found = await deadLetters.findOne({ _id: id, time_ms: { $gt: expiredUntil() } });
      return found ? toDeadLetter(found) : undefined;
    },
    async remove(id) {
      const { deletedCount } = await deadLetters.deleteOne({ _id: id });
      return deletedCount > 0;
    },
  };
}

function toDeadLetter(stored: StoredDeadLetter): DeadLetter {
  const { _id: id, durable, envelope, error, deliveries, time_ms: timeMs } = stored;
  return { id, durable, event: fromEnvelope(Buffer.from(envelope, 'base64')), error, deliveries, timeMs };
}
