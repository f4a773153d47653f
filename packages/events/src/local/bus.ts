import type { Clock, Random } from '@steward/kernel';
import type { Store } from '@steward/store';
import { type Meters, noMeters } from '@steward/telemetry';
import type { Bus } from '../bus.ts';
import { consumerOptions } from '../consumer-options.ts';
import { BusUnavailable } from '../errors.ts';
import type { Fact } from '../fact.ts';
import { meterBus } from '../meter-bus.ts';
import { Notifications } from '../notifications.ts';
import type { Report } from '../report.ts';
import { LocalConsumer } from './consumer.ts';
import { openDeadLetterStore } from './dead-letters.ts';

/** The dependencies of the bus of one process. */
export interface LocalBusOptions {
  /** Stores the dead letters, in the collection `bus.dead_letters`, for 90 days. */
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly report?: Report;
  readonly meters?: Meters;
  /** Resolves when every consumer has subscribed; until then publications wait. */
  readonly subscribed?: Promise<void>;
}

/**
 * Creates the bus within one process. It stores only dead letters: `publish` resolves when every consumer
 * has handled the event or given it up, so that the relay keeps the outbox entry until then. After a
 * restart the relay publishes the event again, and consumers that had handled it receive it once more.
 *
 * An event reaches the consumers that have subscribed, at any time before its publication: subscribe them
 * before the relays start, or pass `subscribed`. The bus does not accept an event while one of its
 * consumers is closed.
 */
export async function createLocalBus(options: LocalBusOptions): Promise<Bus> {
  const { store, clock, random, report = () => {}, meters = noMeters, subscribed } = options;
  const deadLetters = await openDeadLetterStore(store, clock);
  const consumers = new Map<string, LocalConsumer<Fact>>();
  const open = new Set<string>();
  const ended = Promise.withResolvers<void>();
  // One promise for all publications, so that they do not each add a callback to a promise that may never resolve.
  const begun = subscribed && Promise.race([subscribed, ended.promise]);
  const notifications = new Notifications();
  let closed = false;
  const refuseWhenClosed = () => {
    if (closed) throw new BusUnavailable('The bus is closed');
  };
  const bus: Bus = {
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
      const consumer = new LocalConsumer(checked, {
        deadLetters,
        publish: (event) => bus.publish(event),
        clock,
        random,
        report,
        meters,
      });
      open.add(durable);
      consumers.set(durable, consumer as LocalConsumer<Fact>);
      return {
        async close() {
          await consumer.close();
          // It stays in `consumers`: events that it has not handled wait for the next subscription with its name.
          if (consumers.get(durable) === consumer) open.delete(durable);
        },
      };
    },
    deadLetters: {
      count: () => deadLetters.count(),
      list: (page) => deadLetters.list(page),
      find: (id) => deadLetters.find(id),
      async replay(id) {
        const deadLetter = await deadLetters.find(id);
        const consumer = deadLetter && open.has(deadLetter.durable) && consumers.get(deadLetter.durable);
        if (!consumer) return false;
        consumer
          .redeliver(deadLetter)
          .catch((error: unknown) => report('A dead letter was not replayed', { letter: id, error }));
        return true;
      },
      drop: (id) => deadLetters.remove(id),
    },
    connected: true,
    pending: async () => new Map([...consumers].map(([durable, { pending }]) => [durable, pending])),
    notify: (topic) => notifications.notify(topic),
    onNotification: (topic, fn) => notifications.onNotification(topic, fn),
    async close() {
      closed = true;
      ended.resolve();
      await Promise.all([...consumers.values()].map((consumer) => consumer.close()));
    },
  };
  meterBus(bus, meters);
  return bus;
}
