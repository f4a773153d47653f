import {
  AckPolicy,
  type ConsumerInfo,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Clock, Random } from '@steward/kernel';
import type { SubscribeOptions } from '../bus.ts';
import { delayAfter } from '../delays.ts';
import { DUPLICATE_WINDOW_MS } from '../duplicate-window.ts';
import { fromEnvelope } from '../envelope.ts';
import type { Fact } from '../fact.ts';
import type { OutgoingEvent } from '../outgoing.ts';
import { Partitions } from '../partitions.ts';
import { receive } from '../received.ts';
import { RecentIds } from '../recent-ids.ts';
import type { Report } from '../report.ts';
import type { DeadLetterStream } from './dead-letters.ts';
import { ensureStreams } from './ensure-streams.ts';
import { find } from './find.ts';
import type { Connection, Link } from './link.ts';
import type { Names } from './names.ts';

/** What a consumer over JetStream leans on. */
export interface JetStreamConsumerDeps {
  readonly link: Link;
  readonly names: Names;
  readonly deadLetters: DeadLetterStream;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  /** See `JetStreamBusOptions`. */
  readonly replicas: number;
  readonly ackWaitMs: number;
  readonly takeoverMs: number;
}

/** The one group of instances among which the broker chooses. */
const GROUP = 'instances';
/** Events that a process may have in hand: those of held-up aggregates among them do not keep others away. */
const MAX_IN_HAND = 512;
/** Heartbeats within the time the broker waits for one: one may be lost. */
const HEARTBEATS_PER_ACK_WAIT = 3;
/** Requests within the time the broker waits for one: one may be lost. */
const REQUESTS_PER_TAKEOVER = 3;
/** The shortest time that the client lets a request stand. */
const MIN_REQUEST_MS = 1_000;
/** The pauses after the first, second, ... failure to consume. */
const RETRY_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000] as const;
/** How long a consumer stays paused when the process that closes it dies meanwhile. */
const MAX_PAUSE_MS = 5_000;
/** The pauses between looks at what others have in hand. */
const BARRIER_DELAYS_MS = [10, 20, 50, 100, 250, 500] as const;

/** An event in this process's hands: the broker waits for its acknowledgement. */
interface InHand {
  /** Its number in the stream. */
  readonly seq: number;
  readonly event: OutgoingEvent;
  /** Deliveries before this one. */
  readonly earlier: number;
  /** What it is acknowledged with: the latest delivery. */
  message: JsMsg;
}

/**
 * What is handed out once: a replayed event has its old id and a new number, and the numbers of a
 * stream that was made anew begin again.
 */
function deliveryKey({ seq, event }: Pick<InHand, 'seq' | 'event'>): string {
  return `${seq}/${event.id}`;
}

/** Events that wait until no earlier one is in other hands. */
interface Barrier {
  held: InHand[];
  /** A delivery was missed since the barrier went up. */
  disturbed: boolean;
}

/**
 * One consumer over JetStream: a durable pull consumer with explicit acknowledgement.
 *
 * The order within an aggregate rests on three things. The broker hands events to one instance at a time
 * (the pinned one of the priority group). That instance takes many at once and keeps them in partitions, one per
 * aggregate; what fails is tried again here, while heartbeats keep it and those behind it from being
 * handed out anew. And when an instance cannot know that it has seen every delivery (it has just
 * started or been chosen, or the numbers of the deliveries have a gap), it holds back what it gets
 * until all that is unacknowledged is in its own hands, and sorts it.
 */
export class JetStreamConsumer<F extends Fact> {
  readonly #options: Required<SubscribeOptions<F>>;
  readonly #deps: JetStreamConsumerDeps;
  readonly #partitions: Partitions;
  readonly #inHand = new Map<number, InHand>();
  readonly #recent: RecentIds<string>;
  readonly #heartbeats: NodeJS.Timeout;
  readonly #stopListening: () => void;
  readonly #over = Promise.withResolvers<void>();
  readonly #ended: Promise<void>;
  #messages: ConsumerMessages | undefined;
  #barrier: Barrier | undefined;
  /** The number that the next delivery has when none is missed. */
  #nextDelivery: number | undefined;
  /** The broker has chosen this instance. */
  #pinned = false;
  /** When heartbeats were sent last, in milliseconds since the Unix epoch. */
  #lastHeartbeatAt: number;
  /** Acknowledgements that could not be sent. */
  #unsent: (() => void)[] = [];
  #closed = false;

  constructor(options: Required<SubscribeOptions<F>>, deps: JetStreamConsumerDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#partitions = new Partitions({ ...options, random: deps.random });
    this.#recent = new RecentIds(DUPLICATE_WINDOW_MS, deps.clock);
    this.#lastHeartbeatAt = deps.clock.now();
    this.#heartbeats = setInterval(() => this.#sendHeartbeats(), deps.ackWaitMs / HEARTBEATS_PER_ACK_WAIT);
    this.#stopListening = deps.link.onChange((up) => (up ? this.#sendUnsent() : this.#giveAllBack()));
    this.#ended = this.#keepConsuming();
  }

  /** Waits for the handlers that run; what is in hand otherwise goes back to the broker. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#over.resolve();
    await this.#stopDelivery();
    this.#dropHeld();
    await this.#partitions.close();
    await this.#ended;
    clearInterval(this.#heartbeats);
    this.#stopListening();
    await this.#unpin();
  }

  async #keepConsuming(): Promise<void> {
    const { link, random, report } = this.#deps;
    let failures = 0;
    while (!this.#closed) {
      try {
        const connection = await Promise.race([link.ready(), this.#over.promise]);
        if (!connection) return;
        const info = await link.request((current) => this.#ensureConsumer(current));
        failures = 0;
        await this.#consume(connection, info);
      } catch (error) {
        failures++;
        if (!this.#closed) report('A consumer cannot consume', { durable: this.#options.durable, error });
      }
      this.#giveAllBack();
      if (!this.#closed) await this.#pause(delayAfter(Math.max(failures, 1), RETRY_DELAYS_MS, random));
    }
  }

  async #ensureConsumer({ jsm }: Connection): Promise<ConsumerInfo> {
    const { names, replicas, ackWaitMs, takeoverMs } = this.#deps;
    const { durable, facts } = this.#options;
    await ensureStreams(jsm, names, replicas);
    const config = {
      filter_subjects: [...facts.map((fact) => names.factSubject(fact.type)), names.replaySubject(durable)],
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: MAX_IN_HAND,
      // What cannot be handled is given up by the process, which has to keep it first.
      max_deliver: -1,
      priority_groups: [GROUP],
      priority_policy: 'pinned_client' as const,
      priority_timeout: nanos(takeoverMs),
    };
    const existing = await find(jsm.consumers.update(names.stream, durable, config));
    if (existing) return existing;
    return jsm.consumers.add(names.stream, {
      ...config,
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
    });
  }

  /** Takes events until the connection ends, the consumer is gone or this one is closed. */
  async #consume(connection: Connection, info: ConsumerInfo): Promise<void> {
    const requestMs = Math.max(MIN_REQUEST_MS, Math.floor(this.#deps.takeoverMs / REQUESTS_PER_TAKEOVER));
    this.#nextDelivery = undefined;
    const messages = await connection.js.consumers.getConsumerFromInfo(info).consume({
      max_messages: MAX_IN_HAND,
      expires: requestMs,
      group: GROUP,
      abort_on_missing_resource: true,
    });
    this.#messages = messages;
    void this.#watch(messages);
    try {
      // Not awaited: it resolves once the messages below have been gone through.
      if (this.#closed) void messages.close();
      for await (const message of messages) this.#take(message);
    } finally {
      this.#messages = undefined;
    }
  }

  async #watch(messages: ConsumerMessages): Promise<void> {
    for await (const { type } of messages.status()) {
      if (type === 'consumer_pinned') this.#pinned = true;
      else if (type === 'consumer_unpinned') {
        this.#pinned = false;
        this.#giveAllBack();
      }
    }
  }

  #take(message: JsMsg): void {
    const { streamSequence: seq, deliverySequence, deliveryCount } = message.info;
    if (this.#closed) {
      this.#answer(() => message.nak());
      return;
    }
    if (deliverySequence !== this.#nextDelivery) this.#raiseBarrier();
    this.#nextDelivery = deliverySequence + 1;
    const known = this.#inHand.get(seq);
    if (known) {
      known.message = message;
      return;
    }
    const event = this.#read(message);
    if (!event) return;
    const item = { seq, event, earlier: deliveryCount - 1, message };
    if (this.#recent.has(deliveryKey(item))) {
      // The acknowledgement did not arrive.
      this.#answer(() => message.ack());
      return;
    }
    this.#inHand.set(seq, item);
    if (this.#barrier) this.#barrier.held.push(item);
    else this.#deliver(item);
  }

  #read(message: JsMsg): OutgoingEvent | undefined {
    try {
      return fromEnvelope(message.data);
    } catch (error) {
      const { durable } = this.#options;
      this.#deps.report('A message that is no event was passed over', { durable, seq: message.seq, error });
      this.#answer(() => message.term('not an event'));
      return undefined;
    }
  }

  #deliver(item: InHand): void {
    const { seq, event, earlier } = item;
    const { durable, facts, handler } = this.#options;
    const { deadLetters, report } = this.#deps;
    const about = { durable, event: event.id, type: event.type };
    this.#partitions.add({
      partition: event.aggregate,
      run: async (attempt) => {
        // A delivery before this one may have been under way still when this one came.
        if (!this.#recent.has(deliveryKey(item))) await handler(receive(facts, event, earlier + attempt));
      },
      failed: (error, attempts) =>
        report('A handler failed', { ...about, deliveries: earlier + attempts, error }),
      async giveUp(error, attempts) {
        const deliveries = earlier + attempts;
        await deadLetters.put(durable, event, error, deliveries, String(seq));
        report('An event became a dead letter', { ...about, deliveries, error });
      },
      completed: () => {
        this.#recent.add(deliveryKey(item));
        if (this.#inHand.get(seq) === item) this.#inHand.delete(seq);
        this.#answer(() => item.message.ack());
      },
      dropped: () => this.#giveBack(item),
    });
  }

  #giveBack(item: InHand): void {
    const inHand = this.#inHand.get(item.seq);
    // It may have been handed out to this process again since it was dropped.
    if (inHand && inHand !== item) return;
    this.#inHand.delete(item.seq);
    this.#answer(() => item.message.nak());
  }

  /** Tells the broker, now or when it is back. An answer that is lost costs a repeated delivery, no more. */
  #answer(answer: () => void): void {
    if (!this.#deps.link.up) {
      this.#unsent.push(answer);
      return;
    }
    try {
      answer();
    } catch (error) {
      this.#deps.report('The broker was not answered', { durable: this.#options.durable, error });
    }
  }

  #sendUnsent(): void {
    for (const answer of this.#unsent.splice(0)) this.#answer(answer);
  }

  #sendHeartbeats(): void {
    const { clock, link, ackWaitMs } = this.#deps;
    const silentMs = clock.now() - this.#lastHeartbeatAt;
    this.#lastHeartbeatAt = clock.now();
    // The process stood still for so long that another instance may have got what is in hand here.
    if (silentMs > ackWaitMs) this.#giveAllBack();
    if (!link.up) return;
    for (const { message } of this.#inHand.values()) this.#answer(() => message.working());
  }

  /**
   * Gives everything back, because another instance may get it: what waits at once, what a handler
   * runs for when that fails.
   */
  #giveAllBack(): void {
    this.#nextDelivery = undefined;
    this.#dropHeld();
    this.#partitions.dropAll();
    this.#inHand.clear();
  }

  #dropHeld(): void {
    const held = this.#barrier?.held ?? [];
    this.#barrier = undefined;
    for (const item of held) this.#giveBack(item);
  }

  #raiseBarrier(): void {
    if (this.#barrier) {
      this.#barrier.disturbed = true;
      return;
    }
    this.#barrier = { held: [], disturbed: false };
    void this.#waitAtBarrier(this.#barrier);
  }

  async #waitAtBarrier(barrier: Barrier): Promise<void> {
    const { random } = this.#deps;
    for (let looks = 1; this.#barrier === barrier; looks++) {
      barrier.disturbed = false;
      const alone = await this.#hasAllUnacknowledged();
      if (this.#barrier !== barrier) return;
      if (alone && !barrier.disturbed) break;
      await this.#pause(delayAfter(looks, BARRIER_DELAYS_MS, random));
    }
    if (this.#barrier !== barrier) return;
    this.#barrier = undefined;
    for (const item of barrier.held.toSorted((a, b) => a.seq - b.seq)) this.#deliver(item);
  }

  /** Whether this process has in hand whatever was handed out and not acknowledged when the broker looked. */
  async #hasAllUnacknowledged(): Promise<boolean> {
    const { link, names } = this.#deps;
    try {
      const info = await link.request(({ jsm }) => jsm.consumers.info(names.stream, this.#options.durable));
      // What was handed out after the broker looked does not count: it is not in its figure either.
      const mine = this.#inHand.keys().filter((seq) => seq <= info.delivered.stream_seq);
      return info.num_ack_pending <= [...mine].length;
    } catch {
      return false;
    }
  }

  /** Stops the deliveries to this process, with none on its way that would be lost. */
  async #stopDelivery(): Promise<void> {
    const { stream } = this.#deps.names;
    const { durable } = this.#options;
    if (this.#messages && this.#pinned) {
      await this.#ask(async ({ nc, jsm }) => {
        await jsm.consumers.pause(stream, durable, new Date(this.#deps.clock.now() + MAX_PAUSE_MS));
        await nc.flush();
      });
    }
    await this.#messages?.close();
    if (this.#pinned) await this.#ask(({ jsm }) => jsm.consumers.resume(stream, durable));
  }

  /** Lets another instance take over at once. */
  async #unpin(): Promise<void> {
    const { stream } = this.#deps.names;
    if (this.#pinned) await this.#ask(({ jsm }) => jsm.consumers.unpin(stream, this.#options.durable, GROUP));
  }

  /** Asks something that only saves time: without it, others wait until the broker's timers end. */
  async #ask(request: (connection: Connection) => Promise<unknown>): Promise<void> {
    try {
      await this.#deps.link.request(request);
    } catch (error) {
      this.#deps.report('A consumer was not closed in order', { durable: this.#options.durable, error });
    }
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([promise, this.#over.promise]);
    clearTimeout(timer);
  }
}
