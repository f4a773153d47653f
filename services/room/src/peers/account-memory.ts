import { accountTopic, type Bus } from '@steward/events';
import type { Clock } from '@steward/kernel';
import { LRUCache } from 'lru-cache';

/** How many users are remembered. */
const MAX_USERS = 10_000;

/** How long a value is believed, in milliseconds, should the notification of its change be lost. */
const LIFETIME_MS = 60_000;

interface Remembered<T> {
  readonly value: Promise<T>;
  readonly readAt: number;
  /** Ends the subscription to changes of the account. */
  readonly end: () => void;
}

/**
 * Remembers something that users have chosen, such as whom they ignore, so that reading a room asks the user service once and
 * not each time. It is forgotten as soon as the account changes.
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
    if (known && now - known.readAt < LIFETIME_MS) return known.value;
    // Listens before it asks, so that no change between the answer and the subscription is missed.
    const end = this.#bus.onNotification(accountTopic(userId), () => this.#users.delete(userId));
    const value = this.#ask(userId);
    const remembered = { value, readAt: now, end };
    this.#users.set(userId, remembered);
    value.catch(() => {
      if (this.#users.get(userId) === remembered) this.#users.delete(userId);
    });
    return value;
  }
}
