import { isDeepStrictEqual } from 'node:util';
import { accountTopic, type Bus } from '@steward/events';
import type { Clock } from '@steward/kernel';
import { LRUCache } from 'lru-cache';

/** How many users are remembered. */
const MAX_USERS = 10_000;

/** How long a value is believed, in milliseconds, should the notification of its change be lost. */
const LIFETIME_MS = 60_000;

interface Remembered<T> {
  value: Promise<T>;
  readAt: number;
  /** Whether the account has changed since the value was asked for. */
  isStale: boolean;
  /** Ends the subscription to changes of the account. */
  readonly end: () => void;
}

/**
 * Remembers something that users have chosen, such as whom they ignore, so that reading a room asks the user service once and
 * not each time. It is asked for again as soon as the account changes; an equal answer is the same object as before, so that
 * what was computed from it stays valid.
 */
export class AccountMemory<T> {
  readonly #ask: (userId: string) => Promise<T>;
  readonly #bus: Pick<Bus, 'onNotification'>;
  readonly #clock: Clock;
  readonly #users = new LRUCache<string, Remembered<T>>({
    max: MAX_USERS,
    dispose: ({ end }) => end(),
  });

  constructor(ask: (userId: string) => Promise<T>, bus: Pick<Bus, 'onNotification'>, clock: Clock) {
    this.#ask = ask;
    this.#bus = bus;
    this.#clock = clock;
  }

  /** What a user has chosen, as of now. */
  of(userId: string): Promise<T> {
    const now = this.#clock.now();
    const known = this.#users.get(userId);
    if (known && !known.isStale && now - known.readAt < LIFETIME_MS) return known.value;
    // Listens before it asks, so that no change between the answer and the subscription is missed.
    const end = known?.end ?? this.#bus.onNotification(accountTopic(userId), () => this.#expire(userId));
    const value = this.#askAgain(userId, known?.value);
    if (known) Object.assign(known, { value, readAt: now, isStale: false });
    else this.#users.set(userId, { value, readAt: now, isStale: false, end });
    value.catch(() => {
      if (this.#users.peek(userId)?.value === value) this.#users.delete(userId);
    });
    return value;
  }

  #expire(userId: string): void {
    const known = this.#users.peek(userId);
    if (known) known.isStale = true;
  }

  async #askAgain(userId: string, earlier: Promise<T> | undefined): Promise<T> {
    const value = await this.#ask(userId);
    const before = await earlier?.catch(() => undefined);
    return before !== undefined && isDeepStrictEqual(value, before) ? before : value;
  }
}
