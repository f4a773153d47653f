import type { Clock, Random } from '@steward/kernel';
import type { Store } from '@steward/store';
import type { Bus } from './bus.ts';
import type { Report } from './report.ts';

/** What a relay needs. */
export interface RelayOptions {
  /** Holds the outbox of `service`. */
  readonly store: Store;
  readonly service: string;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly report?: Report;
  /** How often the outbox is looked through without a notification, in milliseconds; 1,000 unless given. */
  readonly sweepEveryMs?: number;
  /**
   * The pauses after the first, second, ... failure with no success in between, in milliseconds; the
   * last is used for all further ones.
   */
  readonly pausesMs?: readonly number[];
}

/**
 * Publishes the outbox of a service and removes what the bus has accepted: each aggregate in order,
 * aggregates independently. While the bus accepts nothing the entries stay, and the relay tries again
 * after growing pauses.
 *
 * Any number of relays, in any number of processes, may work on one outbox. Each publishes an event
 * only after it has seen the one before accepted or gone, so that first publications are in order; the
 * others are duplicates, which the bus recognises by the event id.
 */
export interface Relay {
  /** Looks through the outbox at once. To be called after `Outbox.add`. */
  notify(): void;
  /**
   * Publishes an aggregate's events at once and waits, at most `timeoutMs` milliseconds, until the
   * outbox holds none of those that were added before the call. On the bus of one process this means
   * that their consumers have run.
   *
   * @returns whether it holds none of them
   */
  delivered(aggregate: string, timeoutMs: number): Promise<boolean>;
  /** Resolves when the outbox is empty, however long that takes, or the relay is closed. */
  whenIdle(): Promise<void>;
  /**
   * Starts no further publication, and waits up to five seconds for those under way. What was not
   * accepted stays in the outbox.
   */
  close(): Promise<void>;
}
