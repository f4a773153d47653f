import type { Clock } from '@steward/kernel';
import { Conflict, type Doc, declareCollection, type Store } from '@steward/store';
import type { DeadLetter } from '../bus.ts';
import { DEAD_LETTER_RETENTION_MS } from '../dead-letter-retention.ts';
import { describeError } from '../describe-error.ts';
import { fromEnvelope, toEnvelope } from '../envelope.ts';
import type { OutgoingEvent } from '../outgoing.ts';

/** A dead letter as it is stored; one for each consumer and event. */
interface StoredDeadLetter extends Doc {
  readonly durable: string;
  /** The envelope with the event, in base64. */
  readonly envelope: string;
  readonly error: string;
  readonly deliveries: number;
  readonly time_ms: number;
}

const declaration = declareCollection<StoredDeadLetter>({
  name: 'bus.dead_letters',
  indexes: [{ name: 'time', keys: [['time_ms', 1]] }],
  shardKey: '_id',
});

/** Letters long forgotten that are removed at once. */
const PRUNE_BATCH = 200;

/** The dead letters of the bus of one process. */
export interface DeadLetterStore {
  /**
   * Keeps what could not be delivered; one of the same consumer and event is replaced. Removes some of those that are past their
   * retention.
   */
  put(durable: string, event: OutgoingEvent, error: unknown, deliveries: number): Promise<void>;
  list(options: { readonly limit: number; readonly after?: string }): Promise<readonly DeadLetter[]>;
  find(id: string): Promise<DeadLetter | undefined>;
  /** Returns whether there was such a dead letter. */
  remove(id: string): Promise<boolean>;
}

/** Opens the dead letters in the collection `bus.dead_letters`. */
export async function openDeadLetterStore(store: Store, clock: Clock): Promise<DeadLetterStore> {
  const deadLetters = await store.collection(declaration);
  const forgotten = () => clock.now() - DEAD_LETTER_RETENTION_MS;
  const prune = async () => {
    const old = { time_ms: { $lte: forgotten() } };
    const found = await deadLetters.find(old, { projection: { _id: 1 }, limit: PRUNE_BATCH }).toArray();
    if (found.length > 0) await deadLetters.deleteMany({ ...old, _id: { $in: found.map(({ _id }) => _id) } });
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
    },
    async list({ limit, after = '' }) {
      const wanted = { _id: { $gt: after }, time_ms: { $gt: forgotten() } };
      const page = await deadLetters.find(wanted, { sort: { _id: 1 }, limit }).toArray();
      return page.map(toDeadLetter);
    },
    async find(id) {
      const found = await deadLetters.findOne({ _id: id, time_ms: { $gt: forgotten() } });
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
