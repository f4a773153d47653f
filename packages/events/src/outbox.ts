import {
  type CollectionDeclaration,
  Conflict,
  type Doc,
  declareCollection,
  type Store,
  type WriteOptions,
} from '@steward/store';
import { toEnvelope } from './envelope.ts';
import type { OutgoingEvent } from './outgoing.ts';

/** An event that waits to be published. */
export interface OutboxEntry extends Doc {
  readonly aggregate: string;
  readonly sequence: number;
  /** The envelope with the event, in base64. */
  readonly envelope: string;
}

/** The collection in which the events of a service wait. */
export function outboxDeclaration(service: string): CollectionDeclaration<OutboxEntry> {
  return declareCollection<OutboxEntry>({
    name: `${service}.outbox`,
    indexes: [
      {
        name: 'order',
        keys: [
          ['aggregate', 1],
          ['sequence', 1],
        ],
      },
    ],
    // An event has one aggregate, so that its id stays unique across the cluster.
    shardKey: 'aggregate',
  });
}

/** Where a service puts its events; a relay publishes them from there. */
export interface Outbox {
  /**
   * Stores events, durably when it resolves unless the options say otherwise. An event that waits already is not
   * stored twice. An event of an aggregate must not be added after one with a higher sequence.
   */
  add(events: readonly OutgoingEvent[], options?: WriteOptions): Promise<void>;
  /**
   * Stores an event, as `add`, in place of an earlier one of its aggregate, which is not published if that has not
   * begun: for an event that says everything that the earlier one says.
   */
  replace(earlierId: string, event: OutgoingEvent, options?: WriteOptions): Promise<void>;
}

/** Opens the outbox of a service, the collection `<service>.outbox`. */
export async function openOutbox(store: Store, service: string): Promise<Outbox> {
  const entries = await store.collection(outboxDeclaration(service));
  return {
    async add(events, options) {
      if (events.length === 0) return;
      try {
        await entries.insertMany(events.map(entryOf), { ...options, ordered: false });
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
      }
    },
    async replace(earlierId, event, options) {
      const { aggregate } = event;
      // In this order: a process that dies in between leaves both.
      await entries.bulkWrite(
        [
          { insertOne: { document: entryOf(event) } },
          { deleteOne: { filter: { _id: earlierId, aggregate } } },
        ],
        options,
      );
    },
  };
}

function entryOf(event: OutgoingEvent): OutboxEntry {
  return {
    _id: event.id,
    aggregate: event.aggregate,
    sequence: event.sequence,
    envelope: Buffer.from(toEnvelope(event)).toString('base64'),
  };
}
