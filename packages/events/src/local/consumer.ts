import type { Clock, Random } from '@steward/kernel';
import type { Meters } from '@steward/telemetry';
import type { Bus, DeadLetter, SubscribeOptions } from '../bus.ts';
import { ConsumerCounts } from '../consumer-counts.ts';
import { deadLetterCreated } from '../dead-letter-created.ts';
import { DUPLICATE_WINDOW_MS } from '../duplicate-window.ts';
import { BusUnavailable } from '../errors.ts';
import type { Fact } from '../fact.ts';
import type { OutgoingEvent } from '../outgoing.ts';
import { Partitions } from '../partitions.ts';
import { receive } from '../received.ts';
import { RecentIds } from '../recent-ids.ts';
import type { Report } from '../report.ts';
import type { DeadLetterStore } from './dead-letters.ts';

/** The dependencies of a consumer of the bus of one process. */
export interface LocalConsumerDeps {
  readonly deadLetters: DeadLetterStore;
  readonly publish: Bus['publish'];
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  readonly meters: Meters;
}

/** One consumer of the bus of one process. */
export class LocalConsumer<F extends Fact> {
  readonly #options: Required<SubscribeOptions<F>>;
  readonly #deps: LocalConsumerDeps;
  readonly #partitions: Partitions;
  readonly #types: ReadonlySet<string>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #recent: RecentIds<string>;
  readonly #counts: ConsumerCounts;

  constructor(options: Required<SubscribeOptions<F>>, deps: LocalConsumerDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#partitions = new Partitions({ ...options, random: deps.random });
    this.#types = new Set(options.facts.map((fact) => fact.type));
    this.#recent = new RecentIds(DUPLICATE_WINDOW_MS, deps.clock);
    this.#counts = new ConsumerCounts(options.durable, deps.meters);
  }

  /** How many events it has yet to handle. */
  get pending(): number {
    return this.#running.size;
  }

  handles(type: string): boolean {
    return this.#types.has(type);
  }

  /**
   * Delivers an event, unless it was delivered within the last two minutes. Resolves when it was handled or
   * became a dead letter.
   *
   * @throws BusUnavailable when the consumer was closed before that
   */
  async deliver(event: OutgoingEvent): Promise<void> {
    if (this.#recent.has(event.id)) return;
    await (this.#running.get(event.id) ?? this.#start(event));
  }

  /**
   * Delivers the event of a dead letter again, after a delivery in progress and if the dead letter still
   * exists, and removes the dead letter once the event was handled.
   *
   * @throws BusUnavailable when the consumer was closed before that
   */
  async redeliver({ id, event }: DeadLetter): Promise<void> {
    const { deadLetters } = this.#deps;
    await this.#running.get(event.id)?.catch(() => {});
    if (!(await deadLetters.find(id))) return;
    await (this.#running.get(event.id) ??
      this.#start(event, async () => void (await deadLetters.remove(id))));
  }

  close(): Promise<void> {
    return this.#partitions.close();
  }

  #start(event: OutgoingEvent, handled?: () => Promise<void>): Promise<void> {
    const { durable, facts, handler, startsInOrder } = this.#options;
    const { deadLetters, report, clock, publish } = this.#deps;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#running.set(event.id, promise);
    const about = { durable, event: event.id, type: event.type };
    this.#partitions.add({
      partition: startsInOrder ? event.id : event.aggregate,
      async run(attempt) {
        await handler(receive(facts, event, attempt));
        await handled?.();
      },
      failed: (error, deliveries) => {
        this.#counts.failed();
        report('A handler failed', { ...about, deliveries, error });
      },
      async giveUp(error, deliveries) {
        const id = await deadLetters.put(durable, event, error, deliveries);
        const now = clock.now();
        const created = deadLetterCreated(id, `${event.id}.${now}`, durable, event, now);
        if (created) await publish(created);
        report('An event became a dead letter', { ...about, deliveries, error });
      },
      completed: () => {
        this.#counts.completed();
        this.#recent.add(event.id);
        this.#running.delete(event.id);
        resolve();
      },
      dropped: () => {
        this.#running.delete(event.id);
        reject(new BusUnavailable(`Consumer ${durable} is closed`));
      },
    });
    return promise;
  }
}
