import type { Random } from '@steward/kernel';
import { delayAfter } from './delays.ts';

/** An event to deliver, and the callbacks for its outcome: exactly one of `completed` and `dropped` is called. */
export interface Delivery {
  /** Deliveries of one partition run sequentially, in the order in which they were added. */
  readonly partition: string;
  /** Runs the handler. `attempt` counts from 1 since the delivery was added. */
  run(attempt: number): Promise<void>;
  /** Called when the last attempt failed; when this throws, the delivery is attempted once more later. */
  giveUp(error: unknown, attempts: number): Promise<void>;
  /** Called when an attempt failed and another will follow: here or, once it is dropped, in another process. */
  failed(error: unknown, attempts: number): void;
  /** Called when it was handled or given up. */
  completed(): void;
  /** Called when it was dropped before it was handled. */
  dropped(): void;
}

/** Bounds of the partitions; see `SubscribeOptions`. */
export interface PartitionsOptions {
  readonly maxDeliveries: number;
  readonly redeliveryDelaysMs: readonly number[];
  readonly concurrency: number;
  readonly random: Random;
}

/**
 * A partition is `ready` (its head waits for a free slot), `running` (its head's handler runs) or `waiting`
 * (its head failed and is retried when the timer ends). A partition without deliveries does not exist.
 */
interface Partition {
  readonly key: string;
  readonly queue: Delivery[];
  state: 'ready' | 'running' | 'waiting';
  /** Attempts of the head so far. */
  attempts: number;
  /** The head was dropped while its handler ran, and is not attempted again. */
  abandoned: boolean;
  timer?: NodeJS.Timeout;
}

/**
 * Delivers in order within a partition, and independently between partitions: a failing head blocks only its
 * own partition, and occupies no slot while it waits.
 */
export class Partitions {
  readonly #options: PartitionsOptions;
  readonly #partitions = new Map<string, Partition>();
  #ready: Partition[] = [];
  #running = 0;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(options: PartitionsOptions) {
    this.#options = options;
  }

  add(delivery: Delivery): void {
    if (this.#closed) {
      delivery.dropped();
      return;
    }
    const partition = this.#partitions.get(delivery.partition);
    if (partition) {
      partition.queue.push(delivery);
      return;
    }
    const opened: Partition = {
      key: delivery.partition,
      queue: [delivery],
      state: 'ready',
      attempts: 0,
      abandoned: false,
    };
    this.#partitions.set(opened.key, opened);
    this.#makeReady(opened);
  }

  /** Drops all deliveries: waiting ones immediately, a running one when its handler fails. */
  dropAll(): void {
    const dropped: Delivery[] = [];
    for (const partition of this.#partitions.values()) {
      clearTimeout(partition.timer);
      if (partition.state === 'running') {
        partition.abandoned = true;
        dropped.push(...partition.queue.splice(1));
      } else {
        dropped.push(...partition.queue);
        this.#partitions.delete(partition.key);
      }
    }
    this.#ready = [];
    for (const delivery of dropped) delivery.dropped();
  }

  /** Drops all deliveries, also those added later. Resolves when no handler runs. */
  async close(): Promise<void> {
    this.#closed = true;
    this.dropAll();
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #makeReady(partition: Partition): void {
    partition.state = 'ready';
    this.#ready.push(partition);
    this.#fill();
  }

  #fill(): void {
    while (this.#running < this.#options.concurrency) {
      const partition = this.#ready.shift();
      if (!partition) return;
      void this.#runHead(partition);
    }
  }

  async #runHead(partition: Partition): Promise<void> {
    const [head] = partition.queue;
    if (!head) return;
    partition.state = 'running';
    this.#running++;
    partition.attempts++;
    const error = await this.#attempt(partition, head);
    this.#running--;
    if (error === undefined) {
      head.completed();
      this.#advance(partition);
    } else {
      head.failed(error.cause, partition.attempts);
      if (partition.abandoned) {
        head.dropped();
        this.#advance(partition);
      } else this.#waitForRetry(partition);
    }
    this.#fill();
    if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** @returns the error, wrapped because any value may be thrown; `undefined` when the delivery is completed */
  async #attempt(partition: Partition, head: Delivery): Promise<{ readonly cause: unknown } | undefined> {
    const attempt = partition.attempts;
    try {
      await head.run(attempt);
      return undefined;
    } catch (cause) {
      if (attempt < this.#options.maxDeliveries || partition.abandoned) return { cause };
      try {
        await head.giveUp(cause, attempt);
        return undefined;
      } catch (storing) {
        return { cause: storing };
      }
    }
  }

  #advance(partition: Partition): void {
    partition.queue.shift();
    partition.attempts = 0;
    partition.abandoned = false;
    if (partition.queue.length > 0) this.#makeReady(partition);
    else this.#partitions.delete(partition.key);
  }

  #waitForRetry(partition: Partition): void {
    const { redeliveryDelaysMs, random } = this.#options;
    partition.state = 'waiting';
    const delayMs = delayAfter(partition.attempts, redeliveryDelaysMs, random);
    partition.timer = setTimeout(() => this.#makeReady(partition), delayMs);
  }
}
