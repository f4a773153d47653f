import {
  type CollectionDeclaration,
  Conflict,
  type Doc,
  declareCollection,
  type Store,
  type WriteOptions,
  type WritesAlong,
} from '@steward/store';
import { toEnvelope } from './envelope.ts';
import type { OutgoingEvent } from './outgoing.ts';

/** An event that the relay has not published yet. */
export interface OutboxEntry extends Doc {
  readonly aggregate: string;
  readonly sequence: number;
  /** The envelope with the event, in base64. */
  readonly envelope: string;
}

/** Declares the outbox collection of a service. */
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
    // Each event belongs to one aggregate, so its id is unique across the shards.
    shardKey: 'aggregate',
  });
}

/** The outbox of a service: stores its events until a relay has published them. */
export interface Outbox {
  /**
   * Stores events, durably when it resolves unless the options say otherwise. An event that is already stored is not
   * stored twice. The caller must add the events of an aggregate in ascending sequence.
   */
  add(events: readonly OutgoingEvent[], options?: WriteOptions): Promise<void>;
  /**
   * Prepares an event to be stored in the same atomic step as a change in another collection; `undefined` on engines
   * that cannot do that.
   */
  insertion(event: OutgoingEvent): WritesAlong | undefined;
  /**
   * Stores an event as `add` does, and removes an earlier one, which is then not published unless its publication has begun:
   * for an event that contains everything that the earlier one contains.
   */
  replace(
    earlier: Pick<OutgoingEvent, 'id' | 'aggregate'>,
    event: OutgoingEvent,
    options?: WriteOptions,
  ): Promise<void>;
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
    insertion(event) {
      return store.capabilities.insertsAlongCommit ? entries.insertion([entryOf(event)]) : undefined;
    },
    async replace({ id, aggregate }, event, options) {
      // The insertion comes first, so that a crash in between leaves both.
      await entries.bulkWrite(
        [{ insertOne: { document: entryOf(event) } }, { deleteOne: { filter: { _id: id, aggregate } } }],
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
