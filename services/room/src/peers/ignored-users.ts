import { accountTopic, type Bus } from '@steward/events';
import type { Clock } from '@steward/kernel';
import { LRUCache } from 'lru-cache';
import type { AccountFeeds } from './account-feeds.ts';

/** How many users' lists are remembered. */
const MAX_USERS = 10_000;

/** How long a list is believed, in milliseconds, should the notification of its change be lost. */
const LIFETIME_MS = 60_000;

interface Remembered {
  readonly ignored: Promise<ReadonlySet<string>>;
  readonly readAt: number;
  /** Ends the subscription to changes of the account. */
  readonly end: () => void;
}

/**
 * Remembers whom users ignore, so that reading a room asks the user service once and not each time. A list is forgotten as
 * soon as its account changes.
 */
export class IgnoredUsers {
  readonly #feeds: Pick<AccountFeeds, 'ignoredBy'>;
  readonly #bus: Pick<Bus, 'onNotification'>;
  readonly #clock: Clock;
  readonly #users = new LRUCache<string, Remembered>({
    max: MAX_USERS,
    dispose: ({ end }) => end(),
  });

  constructor(feeds: Pick<AccountFeeds, 'ignoredBy'>, bus: Pick<Bus, 'onNotification'>, clock: Clock) {
    this.#feeds = feeds;
    this.#bus = bus;
    this.#clock = clock;
  }

  /** The users whom a user ignores. */
  of(userId: string): Promise<ReadonlySet<string>> {
    const now = this.#clock.now();
    const known = this.#users.get(userId);
    if (known && now - known.readAt < LIFETIME_MS) return known.ignored;
    // Listens before it asks, so that no change between the answer and the subscription is missed.
    const end = this.#bus.onNotification(accountTopic(userId), () => this.#users.delete(userId));
    const ignored = this.#feeds.ignoredBy(userId);
    const remembered = { ignored, readAt: now, end };
    this.#users.set(userId, remembered);
    ignored.catch(() => {
      if (this.#users.get(userId) === remembered) this.#users.delete(userId);
    });
    return ignored;
  }
}
