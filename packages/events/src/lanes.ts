import type { Random } from '@steward/kernel';
import { delayAfter } from './delays.ts';

/** Something to be delivered, and what becomes of it: exactly one of `settled` and `dropped` is called. */
export interface Delivery {
  /** Deliveries of one lane are tried one after the other, in the order they were added. */
  readonly lane: string;
  /** Runs the handler. `attempt` is 1 for the first time in these lanes. */
  run(attempt: number): Promise<void>;
  /** The last attempt failed; when this throws, it is tried once more later. */
  giveUp(error: unknown, attempts: number): Promise<void>;
  /** An attempt failed, and there will be another one: here or, once it is dropped, elsewhere. */
  failed(error: unknown, attempts: number): void;
  /** It was handled or given up. */
  settled(): void;
  /** The lanes let go of it before it was handled. */
  dropped(): void;
}

/** Bounds of the lanes; see `SubscribeOptions`. */
export interface LanesOptions {
  readonly maxDeliveries: number;
  readonly redeliveryDelaysMs: readonly number[];
  readonly concurrency: number;
  readonly random: Random;
}

/**
 * A lane is `ready` (its head waits for a free slot), `running` (its head's handler runs) or `waiting`
 * (its head failed and is tried again when the timer ends). A lane without deliveries does not exist.
 */
interface Lane {
  readonly key: string;
  readonly queue: Delivery[];
  state: 'ready' | 'running' | 'waiting';
  /** Attempts of the head so far. */
  attempts: number;
  /** The head was let go while its handler ran: there will be no further attempt. */
  abandoned: boolean;
  timer?: NodeJS.Timeout;
}

/**
 * Delivers in order within a lane, and independently between lanes: a head that fails holds up its
 * own lane only, and takes up no slot while it waits.
 */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();
  #ready: Lane[] = [];
  #running = 0;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  add(delivery: Delivery): void {
    if (this.#closed) {
      delivery.dropped();
      return;
    }
    const lane = this.#lanes.get(delivery.lane);
    if (lane) {
      lane.queue.push(delivery);
      return;
    }
    const opened: Lane = {
      key: delivery.lane,
      queue: [delivery],
      state: 'ready',
      attempts: 0,
      abandoned: false,
    };
    this.#lanes.set(opened.key, opened);
    this.#makeReady(opened);
  }

  /** Drops everything: at once, or when the handler that runs fails. */
  letGo(): void {
    const dropped: Delivery[] = [];
    for (const lane of this.#lanes.values()) {
      clearTimeout(lane.timer);
      if (lane.state === 'running') {
        lane.abandoned = true;
        dropped.push(...lane.queue.splice(1));
      } else {
        dropped.push(...lane.queue);
        this.#lanes.delete(lane.key);
      }
    }
    this.#ready = [];
    for (const delivery of dropped) delivery.dropped();
  }

  /** Lets go, and drops whatever comes. Resolves when no handler runs any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.letGo();
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #makeReady(lane: Lane): void {
    lane.state = 'ready';
    this.#ready.push(lane);
    this.#fill();
  }

  #fill(): void {
    while (this.#running < this.#options.concurrency) {
      const lane = this.#ready.shift();
      if (!lane) return;
      void this.#runHead(lane);
    }
  }

  async #runHead(lane: Lane): Promise<void> {
    const [head] = lane.queue;
    if (!head) return;
    lane.state = 'running';
    this.#running++;
    lane.attempts++;
    const error = await this.#attempt(lane, head);
    this.#running--;
    if (error === undefined) {
      head.settled();
      this.#advance(lane);
    } else {
      head.failed(error.cause, lane.attempts);
      if (lane.abandoned) {
        head.dropped();
        this.#advance(lane);
      } else this.#waitForRetry(lane);
    }
    this.#fill();
    if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** @returns what went wrong, wrapped because anything may be thrown; `undefined` when the delivery is done */
  async #attempt(lane: Lane, head: Delivery): Promise<{ readonly cause: unknown } | undefined> {
    const attempt = lane.attempts;
    try {
      await head.run(attempt);
      return undefined;
    } catch (cause) {
      if (attempt < this.#options.maxDeliveries || lane.abandoned) return { cause };
      try {
        await head.giveUp(cause, attempt);
        return undefined;
      } catch (storing) {
        return { cause: storing };
      }
    }
  }

  #advance(lane: Lane): void {
    lane.queue.shift();
    lane.attempts = 0;
    lane.abandoned = false;
    if (lane.queue.length > 0) this.#makeReady(lane);
    else this.#lanes.delete(lane.key);
  }

  #waitForRetry(lane: Lane): void {
    const { redeliveryDelaysMs, random } = this.#options;
    lane.state = 'waiting';
    const delayMs = delayAfter(lane.attempts, redeliveryDelaysMs, random);
    lane.timer = setTimeout(() => this.#makeReady(lane), delayMs);
  }
}
