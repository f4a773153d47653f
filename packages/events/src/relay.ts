import type { Clock, Random } from '@steward/kernel';
import type { Store } from '@steward/store';
import type { Meters } from '@steward/telemetry';
import type { Bus } from './bus.ts';
import type { OutgoingEvent } from './outgoing.ts';
import type { OutboxReading } from './read-outbox.ts';
import type { Report } from './report.ts';

/** The dependencies and settings of a relay. */
export interface RelayOptions {
  /** Contains the outbox of `service`. */
  readonly store: Store;
  readonly service: string;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly report?: Report;
  readonly meters?: Meters;
  /** How often the relay scans the outbox without a notification, in milliseconds; 1,000 by default. */
  readonly sweepEveryMs?: number;
  /**
   * The pauses after the first, second, ... consecutive failure, in milliseconds; the last is used for
   * all further ones.
   */
  readonly pausesMs?: readonly number[];
}

/**
 * Publishes the outbox of a service and removes the entries that the bus has accepted: each aggregate in
 * order, aggregates independently. While the bus accepts nothing the entries stay, and the relay retries
 * after growing pauses.
 *
 * Any number of relays, in any number of processes, may share one outbox. Each publishes an event only
 * after the previous one was accepted or removed, so first publications are in order; the others are
 * duplicates, which the bus recognises by the event id.
 */
export interface Relay {
  /** Scans the outbox now. Callers of `Outbox.add` call it afterwards. */
  notify(): void;
  /**
   * Publishes an event in place of an earlier one in the outbox, as `Outbox.replace` does, without storing it first, if the
   * bus accepts it within `timeoutMs` milliseconds. It does not try while the relay pauses, nor while the outbox has an event
   * of its aggregate other than the earlier one: that must be published first, whichever process stored it. The earlier event is
   * removed in the background; if that fails, it is published later.
   *
   * @param earlier undefined if there is no earlier event
   * @returns whether the bus has accepted it; if not, the caller must store it, and it may reach the bus twice
   */
  publishInstead(
    earlier: Pick<OutgoingEvent, 'id' | 'aggregate'> | undefined,
    event: OutgoingEvent,
    timeoutMs: number,
  ): Promise<boolean>;
  /**
   * Publishes an aggregate's events now and waits, at most `timeoutMs` milliseconds, until the outbox
   * contains none of those that were added before the call. On the bus of one process this means that
   * their consumers have run.
   *
   * @returns whether it contains none of them
   */
  delivered(aggregate: string, timeoutMs: number): Promise<boolean>;
  /**
   * Reads what waits to be published.
   *
   * @throws Unavailable
   */
  waiting(): Promise<OutboxReading>;
  /** Resolves when the outbox is empty or the relay is closed, without a time limit. */
  whenIdle(): Promise<void>;
  /**
   * Starts no further publication, and waits up to five seconds for running ones. Entries that the bus has
   * not accepted stay in the outbox.
   */
  close(): Promise<void>;
}
