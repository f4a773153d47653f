import type { Fact } from './fact.ts';
import type { OutgoingEvent } from './outgoing.ts';
import type { ReceivedEvent } from './received.ts';

/** Who wants to hear of which facts. */
export interface SubscribeOptions<F extends Fact> {
  /**
   * The name of the consumer, the same after every restart: lower-case letters, digits, `_` and `-`.
   * Instances that subscribe with the same name share the work.
   */
  readonly durable: string;
  readonly facts: readonly F[];
  /**
   * Deals with one event. It must be safe to run again with the same event. When it throws, the
   * event is handed out again later, and the later events of its aggregate wait.
   */
  readonly handler: (event: ReceivedEvent<F>) => Promise<void>;
  /** How often the handler gets an event before it becomes a dead letter, 1 or more; 10 unless given. */
  readonly maxDeliveries?: number;
  /**
   * The waits after the first, second, ... failure in milliseconds; the last is used for all further
   * ones. The actual wait is a random one between half of it and all of it.
   */
  readonly redeliveryDelaysMs?: readonly number[];
  /** Handlers running at the same time, 1 or more; 16 unless given. */
  readonly concurrency?: number;
}

/** A consumer at work. */
export interface Subscription {
  /**
   * Takes no further events, and waits for the handlers that run. What was not handled is handed out
   * again to whoever subscribes with the same name next.
   */
  close(): Promise<void>;
}

/** An event that a consumer could not deal with. */
export interface DeadLetter {
  /** Names this letter for `replay`. */
  readonly id: string;
  /** The consumer. */
  readonly durable: string;
  readonly event: OutgoingEvent;
  /** What the handler threw last. */
  readonly error: string;
  /** How often the handler was tried. */
  readonly deliveries: number;
  /** When it was given up, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
}

/**
 * The events that were given up, for an administrator to look at. Kept until they are replayed or dropped, for 90
 * days at most.
 */
export interface DeadLetters {
  /**
   * Up to `limit` letters, in an order that stays the same.
   *
   * @param options.limit 1 or more
   * @param options.after the id of the last letter of the page before
   * @throws BusUnavailable
   */
  list(options: { readonly limit: number; readonly after?: string }): Promise<readonly DeadLetter[]>;
  /**
   * Hands the event out to its consumer again, with a fresh count of deliveries and behind the events
   * of its aggregate that wait already; the letter is gone once this was accepted (on the bus of one
   * process: once the handler succeeded). When the handler fails again, it is a letter again.
   *
   * @returns whether there is such a letter and a consumer for it
   * @throws BusUnavailable when nobody can tell whether it was accepted; it may be tried again
   */
  replay(id: string): Promise<boolean>;
  /**
   * Forgets a letter, without anybody dealing with the event.
   *
   * @returns whether there was one
   * @throws BusUnavailable when nobody can tell whether it is forgotten
   */
  drop(id: string): Promise<boolean>;
}

/**
 * Carries events from relays to consumers: at least once, and in order within an aggregate for each
 * consumer. An event id that is published twice within two minutes reaches a handler once, unless the
 * process stops in between; handlers must be idempotent anyway.
 */
export interface Bus {
  /**
   * Hands an event over. Once this has resolved the event will reach every consumer.
   *
   * @throws BusUnavailable when the event was not accepted, or nobody can tell whether it was
   */
  publish(event: OutgoingEvent): Promise<void>;
  /**
   * Starts a consumer.
   *
   * @throws TypeError when the name is not of the documented form, already in use on this bus, or a bound is broken
   */
  subscribe<F extends Fact>(options: SubscribeOptions<F>): Promise<Subscription>;
  readonly deadLetters: DeadLetters;
  /** Notifications whoever waits for `topic`, here and in the other processes. May be lost, may arrive twice. Never throws. */
  notify(topic: string): void;
  /**
   * Calls `fn`, which must not throw, at each wake-up of `topic`.
   *
   * @returns what ends it
   */
  onNotification(topic: string, fn: () => void): () => void;
  /** Closes every subscription (see there) and takes nothing more. */
  close(): Promise<void>;
}
