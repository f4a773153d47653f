import { limitExceeded } from '@steward/errors';

/** How much work runs concurrently, and how much waits. */
export interface FairSlotsOptions {
  /** How much runs concurrently. */
  readonly slots: number;
  /** How much of one key runs concurrently; `slots` unless given. */
  readonly slotsPerKey?: number;
  /** How much may wait; any amount unless given. */
  readonly maxWaiting?: number;
  /** How much of one key may wait; any amount unless given. */
  readonly maxWaitingPerKey?: number;
}

/** When work that is refused should be tried again, in milliseconds. */
const RETRY_AFTER_MS = 1_000;

/** The work of one key. */
interface Share {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Runs a limited amount of work concurrently. Keys whose work waits take turns, so that one key with much work delays
 * another by one piece of it at most. What has waited starts in a later turn of the event loop, because a piece may compute
 * for a while before it first waits: other events are handled after as many pieces as there are slots.
 */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  readonly #shares = new Map<string, Share>();
  /** The keys whose work may start, the next one first. */
  readonly #ready = new Set<string>();
  #running = 0;
  #waiting = 0;
  #isScheduled = false;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
  }

  /** How much runs. */
  get running(): number {
    return this.#running;
  }

  /** How much waits. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs work once it has a slot; returns its result.
   *
   * @throws limitExceeded when too much waits
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const share = this.#shares.get(key) ?? { running: 0, waiting: [] };
    if (this.#waiting > 0 || !this.#hasSlotFor(share)) await this.#wait(key, share);
    else this.#start(key, share);
    try {
      return await work();
    } finally {
      this.#end(key, share);
    }
  }

  #hasSlotFor({ running }: Share): boolean {
    const { slots, slotsPerKey = slots } = this.#options;
    return this.#running < slots && running < slotsPerKey;
  }

  #wait(key: string, share: Share): Promise<void> {
    const { maxWaiting = Infinity, maxWaitingPerKey = Infinity } = this.#options;
    if (this.#waiting >= maxWaiting || share.waiting.length >= maxWaitingPerKey)
      throw limitExceeded(RETRY_AFTER_MS);
    this.#shares.set(key, share);
    return new Promise((resolve) => {
      share.waiting.push(resolve);
      this.#waiting++;
      this.#setReady(key, share);
    });
  }

  #start(key: string, share: Share): void {
    this.#shares.set(key, share);
    share.running++;
    this.#running++;
  }

  #end(key: string, share: Share): void {
    share.running--;
    this.#running--;
    if (share.running === 0 && share.waiting.length === 0) this.#shares.delete(key);
    this.#setReady(key, share);
  }

  #setReady(key: string, share: Share): void {
    const { slots, slotsPerKey = slots } = this.#options;
    if (share.waiting.length > 0 && share.running < slotsPerKey) this.#ready.add(key);
    this.#schedule();
  }

  /** Starts what may start in the next turn of the event loop. */
  #schedule(): void {
    if (this.#isScheduled || this.#ready.size === 0 || this.#running >= this.#options.slots) return;
    this.#isScheduled = true;
    setImmediate(() => {
      while (this.#ready.size > 0 && this.#running < this.#options.slots) this.#startNext();
      this.#isScheduled = false;
    });
  }

  #startNext(): void {
    const key = this.#ready.values().next().value as string;
    this.#ready.delete(key);
    const share = this.#shares.get(key) as Share;
    const resume = share.waiting.shift();
    this.#waiting--;
    this.#start(key, share);
    this.#setReady(key, share);
    resume?.();
  }
}
