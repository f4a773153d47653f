import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, coalesceCalls, type Random } from '@steward/kernel';
import { type Collection, NOT_FLUSHED } from '@steward/store';
import { type Meters, noMeters, remembered } from '@steward/telemetry';
import type { Bus } from './bus.ts';
import { delayAfter } from './delays.ts';
import { fromEnvelope } from './envelope.ts';
import type { OutboxEntry } from './outbox.ts';
import type { OutgoingEvent } from './outgoing.ts';
import { type OutboxReading, readOutbox } from './read-outbox.ts';
import type { Relay, RelayOptions } from './relay.ts';
import type { Report } from './report.ts';

/** Only a fallback for lost notifications. With an empty outbox a sweep costs one indexed look-up. */
const SWEEP_EVERY_MS = 1_000;
/** Short at first, for a brief failure; the last bounds how long events wait after the broker's return. */
const PAUSES_MS = [100, 500, 1_000, 2_000, 5_000] as const;
/** Aggregates that are published concurrently; many, because on the bus of one process a failing one may take minutes. */
const MAX_WORKERS = 1_024;
/** Entries of one aggregate in one read. */
const READ_LIMIT = 64;
/** Entries read in one step of the scan for aggregates. */
const SCAN_LIMIT = 256;
/** Entries in one removal: few, because on the embedded engine other work waits for it. */
const REMOVE_LIMIT = 100;
/** How long a removal for which nothing waits is put off for others to share its cost, in milliseconds. */
const REMOVE_WITHIN_MS = 25;
/** How long after its read an entry may be published: well below the time in which the bus recognises duplicates. */
const READING_VALID_MS = 30_000;
/** How long `close` waits for running publications. */
const CLOSE_WAIT_MS = 5_000;

const MS_PER_S = 1_000;

/** The publication of one aggregate. */
interface Worker {
  /** Entries may have been added since its last read. */
  again: boolean;
  /** Whether no entry was left; `false` after a failure, or when the relay was closed. Never rejects. */
  readonly done: Promise<boolean>;
}

/** A scan for aggregates that have no worker. */
interface Scan {
  /** Entries may have been added since it began. */
  again: boolean;
  readonly done: Promise<void>;
}

/** The time after a failure in which the relay starts no worker. */
interface Pause {
  readonly timer: NodeJS.Timeout;
  readonly over: PromiseWithResolvers<void>;
}

/** The relay over a collection. */
export class OutboxRelay implements Relay {
  readonly #entries: Collection<OutboxEntry>;
  readonly #bus: Pick<Bus, 'publish'>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #report: Report;
  readonly #service: string;
  readonly #pausesMs: readonly number[];
  readonly #observeLag: (seconds: number) => void;
  readonly #countFailure: () => void;
  readonly #sweeps: NodeJS.Timeout;
  readonly #workers = new Map<string, Worker>();
  /** Removes an entry together with others. A removal that a crash loses only causes a duplicate publication. */
  readonly #remove: (entry: Pick<OutboxEntry, '_id' | 'aggregate'>) => Promise<unknown>;
  /** The removals for which no worker waits. */
  readonly #removals = new Set<Promise<unknown>>();
  /** Resolves when the next of them begin. */
  #removalsDue: Promise<void> | undefined;
  #scan: Scan | undefined;
  #pause: Pause | undefined;
  #failures = 0;
  #closed = false;
  #closing: Promise<void> | undefined;
  /** Resolves when a worker ends and when the relay is closed. */
  #workerEnded = Promise.withResolvers<void>();

  constructor(entries: Collection<OutboxEntry>, options: RelayOptions) {
    const { bus, clock, random, report, service, sweepEveryMs, pausesMs, meters = noMeters } = options;
    this.#entries = entries;
    this.#remove = coalesceCalls(
      (removed) =>
        entries.deleteMany(
          {
            _id: { $in: removed.map(({ _id }) => _id) },
            // The key of the shards.
            aggregate: { $in: [...new Set(removed.map(({ aggregate }) => aggregate))] },
          },
          NOT_FLUSHED,
        ),
      REMOVE_LIMIT,
    );
    this.#bus = bus;
    this.#clock = clock;
    this.#random = random;
    this.#report = report ?? (() => {});
    this.#service = service;
    this.#pausesMs = pausesMs ?? PAUSES_MS;
    this.#observeLag = meters.distribution('steward_bus_relay_lag_seconds').of({ service });
    const failures = meters.counter('steward_bus_relay_failures_total');
    // The series begins at 0, so that a rate includes the first increase.
    failures.add({ service }, 0);
    this.#countFailure = () => failures.add({ service });
    this.#meter(meters);
    this.#sweeps = setInterval(() => this.notify(), sweepEveryMs ?? SWEEP_EVERY_MS);
    this.notify();
  }

  notify(): void {
    void this.#startScan();
  }

  async publishInstead(
    earlier: Pick<OutgoingEvent, 'id' | 'aggregate'> | undefined,
    event: OutgoingEvent,
    timeoutMs: number,
  ): Promise<boolean> {
    if (this.#closed || this.#pause) return false;
    const late = Promise.withResolvers<false>();
    const timer = setTimeout(late.resolve, timeoutMs, false);
    try {
      const accepted = await Promise.race([this.#publishNext(earlier, event), late.promise]);
      if (accepted) this.#accepted(event);
      if (accepted && earlier) this.#removeLater({ _id: earlier.id, aggregate: earlier.aggregate });
      return accepted;
    } catch (error) {
      this.#fail(error);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  async delivered(aggregate: string, timeoutMs: number): Promise<boolean> {
    let timedOut = false;
    const late = Promise.withResolvers<false>();
    const timer = setTimeout(() => {
      timedOut = true;
      late.resolve(false);
    }, timeoutMs);
    try {
      while (!timedOut && !this.#closed) {
        if (this.#pause) await Promise.race([this.#pause.over.promise, late.promise]);
        else if (await Promise.race([this.#work(aggregate), late.promise])) return true;
      }
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  waiting(): Promise<OutboxReading> {
    return readOutbox(this.#entries, this.#clock);
  }

  async whenIdle(): Promise<void> {
    await Promise.all(this.#removals);
    while (!this.#closed && (await this.#entries.findOne({}))) {
      await this.#startScan();
      await Promise.all([...this.#workers.values()].map((worker) => worker.done));
      await this.#pause?.over.promise;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeps);
    this.#resume();
    this.#workerEnded.resolve();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, CLOSE_WAIT_MS);
    const workers = [...this.#workers.values()].map((worker) => worker.done);
    await Promise.race([Promise.all([...workers, ...this.#removals, this.#scan?.done]), late.promise]);
    clearTimeout(timer);
  }

  /** Starts a worker for every aggregate in the outbox. */
  #startScan(): Promise<void> {
    if (this.#closed || this.#pause) return Promise.resolve();
    if (this.#scan) {
      this.#scan.again = true;
      return this.#scan.done;
    }
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const scan: Scan = { again: false, done };
    this.#scan = scan;
    void this.#runScan(scan).then(resolve);
    return done;
  }

  async #runScan(scan: Scan): Promise<void> {
    do {
      scan.again = false;
      try {
        await this.#scanOnce();
      } catch (error) {
        this.#fail(error);
      }
    } while (scan.again && !this.#closed && !this.#pause);
    this.#scan = undefined;
  }

  async #scanOnce(): Promise<void> {
    let after = '';
    for (;;) {
      const page = await this.#entries
        .find(
          { aggregate: { $gt: after } },
          { sort: { aggregate: 1, sequence: 1, _id: 1 }, limit: SCAN_LIMIT, projection: { aggregate: 1 } },
        )
        .toArray();
      for (const { aggregate } of page) {
        if (aggregate === after) continue;
        after = aggregate;
        while (this.#workers.size >= MAX_WORKERS && !this.#closed) await this.#workerEnded.promise;
        if (this.#closed || this.#pause) return;
        void this.#work(aggregate);
      }
      if (page.length < SCAN_LIMIT) return;
    }
  }

  /** Publishes the outbox entries of an aggregate, in a new worker or in a further read of its running worker. */
  #work(aggregate: string): Promise<boolean> {
    if (this.#closed || this.#pause) return Promise.resolve(false);
    const running = this.#workers.get(aggregate);
    if (running) {
      running.again = true;
      return running.done;
    }
    const { promise: done, resolve } = Promise.withResolvers<boolean>();
    const worker: Worker = { again: false, done };
    this.#workers.set(aggregate, worker);
    void this.#drain(aggregate, worker).then((drained) => {
      resolve(drained);
      this.#workerEnded.resolve();
      if (!this.#closed) this.#workerEnded = Promise.withResolvers();
    });
    return done;
  }

  async #drain(aggregate: string, worker: Worker): Promise<boolean> {
    try {
      let more = true;
      while (more && !this.#closed) {
        worker.again = false;
        const batch = await this.#entries
          .find({ aggregate }, { sort: { sequence: 1, _id: 1 }, limit: READ_LIMIT })
          .toArray();
        const complete = await this.#publish(batch);
        more = worker.again || !complete || batch.length === READ_LIMIT;
      }
      return !more;
    } catch (error) {
      this.#fail(error);
      return false;
    } finally {
      this.#workers.delete(aggregate);
    }
  }

  /** @returns whether all of them were published and removed */
  async #publish(batch: readonly OutboxEntry[]): Promise<boolean> {
    const validUntil = this.#clock.now() + READING_VALID_MS;
    const removals: Promise<unknown>[] = [];
    try {
      for (const { _id, aggregate, envelope } of batch) {
        if (this.#closed || this.#clock.now() > validUntil) return false;
        const event = fromEnvelope(Buffer.from(envelope, 'base64'));
        await this.#bus.publish(event);
        this.#accepted(event);
        // The store may already be closed; the entry then stays and is published again.
        if (this.#closed) return false;
        const removal = this.#remove({ _id, aggregate });
        // Its failure is thrown at the end, and must not count as unhandled until then.
        removal.catch(() => {});
        removals.push(removal);
        this.#failures = 0;
      }
    } finally {
      await Promise.all(removals);
    }
    return true;
  }

  /** Publishes an event unless another one of its aggregate waits; returns whether it did. */
  async #publishNext(earlier: Pick<OutgoingEvent, 'id'> | undefined, event: OutgoingEvent): Promise<boolean> {
    // One more than the earlier event, which is faster than a condition on its id.
    const waiting = await this.#entries.find({ aggregate: event.aggregate }, { limit: 2 }).toArray();
    if (waiting.some(({ _id }) => _id !== earlier?.id)) return false;
    await this.#bus.publish(event);
    return true;
  }

  #accepted({ timeMs }: OutgoingEvent): void {
    // The clock of the machine may be set back.
    this.#observeLag(Math.max(0, this.#clock.now() - timeMs) / MS_PER_S);
  }

  #meter(meters: Pick<Meters, 'gauge'>): void {
    const labels = { service: this.#service };
    const waiting = remembered(() => this.waiting());
    meters.gauge('steward_outbox_entries').from(async () => [{ labels, value: (await waiting()).entries }]);
    meters
      .gauge('steward_outbox_oldest_seconds')
      .from(async () => [{ labels, value: (await waiting()).oldestMs / MS_PER_S }]);
  }

  #removeLater(entry: Pick<OutboxEntry, '_id' | 'aggregate'>): void {
    this.#removalsDue ??= sleep(REMOVE_WITHIN_MS).then(() => {
      this.#removalsDue = undefined;
    });
    const removal = this.#removalsDue
      .then(() => this.#remove(entry))
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }

  #fail(error: unknown): void {
    if (this.#closed || this.#pause) return;
    this.#failures++;
    this.#countFailure();
    const pauseMs = delayAfter(this.#failures, this.#pausesMs, this.#random);
    this.#report('A relay pauses', { service: this.#service, pauseMs, error });
    const timer = setTimeout(() => {
      this.#resume();
      this.notify();
    }, pauseMs);
    this.#pause = { timer, over: Promise.withResolvers() };
  }

  #resume(): void {
    clearTimeout(this.#pause?.timer);
    this.#pause?.over.resolve();
    this.#pause = undefined;
  }
}
