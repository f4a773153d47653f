import type { Clock, Random } from '@steward/kernel';
import type { Store } from '@steward/store';
import type { Bus } from '../bus.ts';
import { consumerOptions } from '../consumer-options.ts';
import { BusUnavailable } from '../errors.ts';
import type { Fact } from '../fact.ts';
import { Notifications } from '../notifications.ts';
import type { Report } from '../report.ts';
import { LocalConsumer } from './consumer.ts';
import { openDeadLetterStore } from './dead-letters.ts';

/** What the bus of one process needs. */
export interface LocalBusOptions {
  /** Keeps the dead letters, in the collection `bus.dead_letters`, for 90 days. */
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly report?: Report;
  /** Resolves when every consumer is there; until then publications wait. */
  readonly subscribed?: Promise<void>;
}

/**
 * The bus within one process. It keeps nothing but dead letters: `publish` resolves when every
 * consumer has handled the event or given it up, so that the relay keeps the outbox entry until then.
 * After a restart the event is published again, and consumers that had handled it get it once more.
 *
 * An event reaches the consumers that were ever subscribed when it is published: subscribe before relays
 * start, or say when everybody has. It is not accepted while one of them is closed.
 */
export async function createLocalBus(options: LocalBusOptions): Promise<Bus> {
  const { store, clock, random, report = () => {}, subscribed } = options;
  const deadLetters = await openDeadLetterStore(store, clock);
  const consumers = new Map<string, LocalConsumer<Fact>>();
  const open = new Set<string>();
  const ended = Promise.withResolvers<void>();
  // Once for all publications, lest each left something behind at what never ends.
  const begun = subscribed && Promise.race([subscribed, ended.promise]);
  const notifications = new Notifications();
  let closed = false;
  const refuseWhenClosed = () => {
    if (closed) throw new BusUnavailable('The bus is closed');
  };
  return {
    async publish(event) {
      await begun;
      refuseWhenClosed();
      const interested = [...consumers.values()].filter((consumer) => consumer.handles(event.type));
      await Promise.all(interested.map((consumer) => consumer.deliver(event)));
    },
    async subscribe(subscription) {
      refuseWhenClosed();
      const checked = consumerOptions(subscription);
      const { durable } = checked;
      if (open.has(durable)) throw new TypeError(`Consumer ${durable} is subscribed already`);
      const consumer = new LocalConsumer(checked, { deadLetters, clock, random, report });
      open.add(durable);
      consumers.set(durable, consumer as LocalConsumer<Fact>);
      return {
        async close() {
          await consumer.close();
          // It stays known: what it has not handled is for whoever subscribes with its name next.
          if (consumers.get(durable) === consumer) open.delete(durable);
        },
      };
    },
    deadLetters: {
      list: (page) => deadLetters.list(page),
      async replay(id) {
        const letter = await deadLetters.find(id);
        const consumer = letter && open.has(letter.durable) && consumers.get(letter.durable);
        if (!consumer) return false;
        consumer
          .redeliver(letter)
          .catch((error: unknown) => report('A dead letter was not replayed', { letter: id, error }));
        return true;
      },
      drop: (id) => deadLetters.remove(id),
    },
    notify: (topic) => notifications.notify(topic),
    onNotification: (topic, fn) => notifications.onNotification(topic, fn),
    async close() {
      closed = true;
      ended.resolve();
      await Promise.all([...consumers.values()].map((consumer) => consumer.close()));
    },
  };
}
