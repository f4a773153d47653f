import {
  AckPolicy,
  type ConsumerInfo,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Clock, Random } from '@steward/kernel';
import type { Meters } from '@steward/telemetry';
import type { Bus, SubscribeOptions } from '../bus.ts';
import { ConsumerCounts } from '../consumer-counts.ts';
import { deadLetterCreated } from '../dead-letter-created.ts';
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

/** The dependencies and settings of a consumer over JetStream. */
export interface JetStreamConsumerDeps {
  readonly link: Link;
  readonly names: Names;
  readonly deadLetters: DeadLetterStream;
  readonly publish: Bus['publish'];
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  readonly meters: Meters;
  /** See `JetStreamBusOptions`. */
  readonly replicas: number;
  readonly ackWaitMs: number;
  readonly takeoverMs: number;
}

/** The priority group from whose instances the broker pins one. */
const GROUP = 'instances';
/** Unacknowledged events of a process: enough that the events of blocked aggregates do not block the others. */
const MAX_UNACKNOWLEDGED = 512;
/** Heartbeats within the time the broker waits for one, so that one may be lost. */
const HEARTBEATS_PER_ACK_WAIT = 3;
/** Requests within the time the broker waits for one, so that one may be lost. */
const REQUESTS_PER_TAKEOVER = 3;
/** The shortest lifetime of a request that the client allows. */
const MIN_REQUEST_MS = 1_000;
/** The pauses after the first, second, ... failure to consume. */
const RETRY_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000] as const;
/** How long a consumer stays paused when the process that closes it crashes before it resumes it. */
const MAX_PAUSE_MS = 5_000;
/** The pauses between checks whether other processes hold unacknowledged events. */
const BARRIER_DELAYS_MS = [10, 20, 50, 100, 250, 500] as const;

/** An event that this process holds and has not acknowledged yet. */
interface Unacknowledged {
  /** Its number in the stream. */
  readonly seq: number;
  readonly event: OutgoingEvent;
  /** Deliveries before this one. */
  readonly earlier: number;
  /** The latest delivery, with which it is acknowledged. */
  message: JsMsg;
}

/**
 * Identifies an event that is handled once. It needs both parts: a replayed event has its old id and a new
 * number, and the numbers of a recreated stream begin again.
 */
function deliveryKey({ seq, event }: Pick<Unacknowledged, 'seq' | 'event'>): string {
  return `${seq}/${event.id}`;
}

/** Events that wait until no other process holds an earlier one. */
interface Barrier {
  held: Unacknowledged[];
  /** A delivery was missed since the barrier was raised. */
  disturbed: boolean;
}

/**
 * One consumer over JetStream: a durable pull consumer with explicit acknowledgement.
 *
 * Three mechanisms keep the order within an aggregate. The broker delivers events to one instance at a time
 * (the pinned one of the priority group). That instance takes many events and keeps them in partitions, one per
 * aggregate; it retries a failed event itself, while heartbeats keep the broker from redelivering it and the
 * events behind it. When an instance cannot know that it has seen every delivery (it has just started or been
 * pinned, or the delivery numbers have a gap), it holds back the events that it receives until it holds every
 * unacknowledged event, and sorts them.
 */
export class JetStreamConsumer<F extends Fact> {
  readonly #options: Required<SubscribeOptions<F>>;
  readonly #deps: JetStreamConsumerDeps;
  readonly #partitions: Partitions;
  readonly #unacknowledged = new Map<number, Unacknowledged>();
  readonly #recent: RecentIds<string>;
  readonly #counts: ConsumerCounts;
  readonly #heartbeats: NodeJS.Timeout;
  readonly #stopListening: () => void;
  readonly #over = Promise.withResolvers<void>();
  readonly #ended: Promise<void>;
  #messages: ConsumerMessages | undefined;
  #barrier: Barrier | undefined;
  /** The number of the next delivery if none is missed. */
  #nextDelivery: number | undefined;
  /** The broker has pinned this instance. */
  #pinned = false;
  /** When this instance last sent heartbeats, in milliseconds since the Unix epoch. */
  #lastHeartbeatAt: number;
  /** Acknowledgements that could not be sent. */
  #unsent: (() => void)[] = [];
  #closed = false;

  constructor(options: Required<SubscribeOptions<F>>, deps: JetStreamConsumerDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#partitions = new Partitions({ ...options, random: deps.random });
    this.#recent = new RecentIds(DUPLICATE_WINDOW_MS, deps.clock);
    this.#counts = new ConsumerCounts(options.durable, deps.meters);
    this.#lastHeartbeatAt = deps.clock.now();
    this.#heartbeats = setInterval(() => this.#sendHeartbeats(), deps.ackWaitMs / HEARTBEATS_PER_ACK_WAIT);
    this.#stopListening = deps.link.onChange((up) => (up ? this.#sendUnsent() : this.#giveAllBack()));
    this.#ended = this.#keepConsuming();
  }

  /** Waits for the running handlers; the other unacknowledged events go back to the broker. */
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
      max_ack_pending: MAX_UNACKNOWLEDGED,
      // Unlimited, because the process gives up an event itself, after it has stored the dead letter.
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

  /** Receives events until the connection ends, the consumer is deleted or this object is closed. */
  async #consume(connection: Connection, info: ConsumerInfo): Promise<void> {
    const requestMs = Math.max(MIN_REQUEST_MS, Math.floor(this.#deps.takeoverMs / REQUESTS_PER_TAKEOVER));
    this.#nextDelivery = undefined;
    const messages = await connection.js.consumers.getConsumerFromInfo(info).consume({
      max_messages: MAX_UNACKNOWLEDGED,
      expires: requestMs,
      group: GROUP,
      abort_on_missing_resource: true,
    });
    this.#messages = messages;
    void this.#watch(messages);
    try {
      // Not awaited, because it resolves only after the loop below has consumed the messages.
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
    const known = this.#unacknowledged.get(seq);
    if (known) {
      known.message = message;
      return;
    }
    const event = this.#read(message);
    if (!event) return;
    const item = { seq, event, earlier: deliveryCount - 1, message };
    if (this.#recent.has(deliveryKey(item))) {
      // The broker did not receive the acknowledgement.
      this.#answer(() => message.ack());
      return;
    }
    this.#unacknowledged.set(seq, item);
    if (this.#barrier) this.#barrier.held.push(item);
    else this.#deliver(item);
  }

  #read(message: JsMsg): OutgoingEvent | undefined {
    try {
      return fromEnvelope(message.data);
    } catch (error) {
      const { durable } = this.#options;
      this.#deps.report('A message that is not an event was skipped', { durable, seq: message.seq, error });
      this.#answer(() => message.term('not an event'));
      return undefined;
    }
  }

  #deliver(item: Unacknowledged): void {
    const { seq, event, earlier } = item;
    const { durable, facts, handler, startsInOrder } = this.#options;
    const { deadLetters, report, clock, publish } = this.#deps;
    const about = { durable, event: event.id, type: event.type };
    this.#partitions.add({
      partition: startsInOrder ? event.id : event.aggregate,
      run: async (attempt) => {
        // Checked again, because an earlier delivery may have completed after this one arrived.
        if (!this.#recent.has(deliveryKey(item))) await handler(receive(facts, event, earlier + attempt));
      },
      failed: (error, attempts) => {
        this.#counts.failed();
        report('A handler failed', { ...about, deliveries: earlier + attempts, error });
      },
      async giveUp(error, attempts) {
        const deliveries = earlier + attempts;
        const id = await deadLetters.put(durable, event, error, deliveries, String(seq));
        const created = deadLetterCreated(id, String(seq), durable, event, clock.now());
        if (created) await publish(created);
        report('An event became a dead letter', { ...about, deliveries, error });
      },
      completed: () => {
        this.#counts.completed();
        this.#recent.add(deliveryKey(item));
        if (this.#unacknowledged.get(seq) === item) this.#unacknowledged.delete(seq);
        this.#answer(() => item.message.ack());
      },
      dropped: () => this.#giveBack(item),
    });
  }

  #giveBack(item: Unacknowledged): void {
    const current = this.#unacknowledged.get(item.seq);
    // The broker may have delivered it to this process again since it was dropped.
    if (current && current !== item) return;
    this.#unacknowledged.delete(item.seq);
    this.#answer(() => item.message.nak());
  }

  /** Answers the broker, now or after a reconnection. A lost answer only causes a duplicate delivery. */
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
    // After so long a stall the broker may have delivered the unacknowledged events to another instance.
    if (silentMs > ackWaitMs) this.#giveAllBack();
    if (!link.up) return;
    for (const { message } of this.#unacknowledged.values()) this.#answer(() => message.working());
  }

  /**
   * Gives all events back, because another instance may receive them: waiting ones immediately, one whose
   * handler runs when the handler fails.
   */
  #giveAllBack(): void {
    this.#nextDelivery = undefined;
    this.#dropHeld();
    this.#partitions.dropAll();
    this.#unacknowledged.clear();
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
    for (let checks = 1; this.#barrier === barrier; checks++) {
      barrier.disturbed = false;
      const complete = await this.#hasAllUnacknowledged();
      if (this.#barrier !== barrier) return;
      if (complete && !barrier.disturbed) break;
      await this.#pause(delayAfter(checks, BARRIER_DELAYS_MS, random));
    }
    if (this.#barrier !== barrier) return;
    this.#barrier = undefined;
    for (const item of barrier.held.toSorted((a, b) => a.seq - b.seq)) this.#deliver(item);
  }

  /** Whether this process holds every event that was delivered and unacknowledged when the broker counted. */
  async #hasAllUnacknowledged(): Promise<boolean> {
    const { link, names } = this.#deps;
    try {
      const info = await link.request(({ jsm }) => jsm.consumers.info(names.stream, this.#options.durable));
      // Events delivered after the broker counted are left out, because its count does not include them.
      const counted = this.#unacknowledged.keys().filter((seq) => seq <= info.delivered.stream_seq);
      return info.num_ack_pending <= [...counted].length;
    } catch {
      return false;
    }
  }

  /** Stops the deliveries to this process without losing one that is in transit. */
  async #stopDelivery(): Promise<void> {
    const { stream } = this.#deps.names;
    const { durable } = this.#options;
    if (this.#messages && this.#pinned) {
      await this.#tryRequest(async ({ nc, jsm }) => {
        await jsm.consumers.pause(stream, durable, new Date(this.#deps.clock.now() + MAX_PAUSE_MS));
        await nc.flush();
      });
    }
    await this.#messages?.close();
    if (this.#pinned) await this.#tryRequest(({ jsm }) => jsm.consumers.resume(stream, durable));
  }

  /** Lets another instance take over immediately. */
  async #unpin(): Promise<void> {
    const { stream } = this.#deps.names;
    const { durable } = this.#options;
    if (this.#pinned) await this.#tryRequest(({ jsm }) => jsm.consumers.unpin(stream, durable, GROUP));
  }

  /** Sends a request that only saves time: if it fails, other instances wait for the broker's timers. */
  async #tryRequest(request: (connection: Connection) => Promise<unknown>): Promise<void> {
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
