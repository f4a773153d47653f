import type { Fact } from './fact.ts';
import type { OutgoingEvent } from './outgoing.ts';
import type { ReceivedEvent } from './received.ts';

/** A consumer and the facts that it receives. */
export interface SubscribeOptions<F extends Fact> {
  /**
   * The name of the consumer, the same after every restart: lower-case letters, digits, `_` and `-`.
   * Instances that subscribe with the same name share the work.
   */
  readonly durable: string;
  readonly facts: readonly F[];
  /**
   * Processes one event. It must be idempotent. When it throws, the bus delivers the event again
   * later, and the later events of its aggregate wait.
   */
  readonly handler: (event: ReceivedEvent<F>) => Promise<void>;
  /** How often the bus delivers an event before it becomes a dead letter, 1 or more; 10 by default. */
  readonly maxDeliveries?: number;
  /**
   * The delays after the first, second, ... failure in milliseconds; the last is used for all further
   * ones. The actual delay is random, between half of this value and all of it.
   */
  readonly redeliveryDelaysMs?: readonly number[];
  /**
   * Handlers start in the order in which the bus received the events, also those of one aggregate, without waiting for each
   * other: for a handler that keeps the order itself. One that throws loses the place of its event.
   */
  readonly startsInOrder?: boolean;
  /** The maximum number of handlers that run concurrently, 1 or more; 16 by default. */
  readonly concurrency?: number;
}

/** A running consumer. */
export interface Subscription {
  /**
   * Accepts no further events, and waits for the running handlers. Events that were not handled are
   * delivered again to the next subscription with the same name.
   */
  close(): Promise<void>;
}

/** An event that a consumer failed to process too often. */
export interface DeadLetter {
  /** Identifies this dead letter in `replay` and `drop`. */
  readonly id: string;
  /** The consumer. */
  readonly durable: string;
  readonly event: OutgoingEvent;
  /** The text of the handler's last error. */
  readonly error: string;
  /** How often the handler was called. */
  readonly deliveries: number;
  /** When it became a dead letter, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
}

/**
 * The dead letters of all consumers, for administrators. Each is kept until an administrator replays or drops it, for
 * 90 days at most.
 */
export interface DeadLetters {
  /**
   * The number of dead letters, counted up to 10,000.
   *
   * @throws BusUnavailable
   */
  count(): Promise<number>;
  /**
   * Lists up to `limit` dead letters, in a stable order.
   *
   * @param options.limit 1 or more
   * @param options.after the id of the last dead letter of the previous page
   * @throws BusUnavailable
   */
  list(options: { readonly limit: number; readonly after?: string }): Promise<readonly DeadLetter[]>;
  /**
   * Returns a dead letter; `undefined` when there is none with this id.
   *
   * @throws BusUnavailable
   */
  find(id: string): Promise<DeadLetter | undefined>;
  /**
   * Delivers the event to its consumer again, with a new count of deliveries and behind the events of
   * its aggregate that already wait. The bus removes the dead letter once the broker has accepted the
   * event (on the bus of one process: once the handler succeeded). When the handler fails too often
   * again, the event becomes a dead letter again.
   *
   * @returns whether the dead letter and a consumer for it exist
   * @throws BusUnavailable when it is unknown whether it was accepted; the caller may repeat the call
   */
  replay(id: string): Promise<boolean>;
  /**
   * Removes a dead letter without processing its event.
   *
   * @returns whether the dead letter existed
   * @throws BusUnavailable when it is unknown whether it was removed
   */
  drop(id: string): Promise<boolean>;
}

/** A topic on which the instances of a service tell each other what each keeps in memory. */
export interface BroadcastOptions {
  /** The same in all instances: lower-case letters, digits and `_`. */
  readonly topic: string;
  /**
   * Receives a message of another instance; it must not throw. Messages of one instance arrive in their order. They may
   * be lost, and repeated after a reconnection.
   *
   * @param ageMs how long ago the message was sent: 0, unless the instance had not started or was not connected then
   */
  readonly receive: (message: Uint8Array, ageMs: number) => void;
  /** Called whenever the broker is connected, before messages of the time without a connection are received. */
  readonly connected: () => void;
}

/** An open topic of broadcasts. */
export interface Broadcast {
  /** Whether messages can be sent now. */
  readonly isConnected: boolean;
  /** Sends a message to the other instances. It may be lost. Never throws. */
  send(message: Uint8Array): void;
  /** Receives no further messages. Messages that were sent still arrive. */
  close(): void;
}

/** A message of the public stream: an event of the feed. */
export interface PublicMessage {
  /** The id of the event. */
  readonly id: string;
  /** The type of the event: `account.created`. */
  readonly type: string;
  /** The place of the event in the feed. */
  readonly position: number;
  /** The event. */
  readonly json: string;
}

/**
 * The stream of the broker with the events of the feed, for consumers that are not part of the server. Any number of
 * processes may publish: each message is stored behind the one that its publisher knows as the last.
 */
export interface PublicStream {
  /**
   * The number of the last message, 0 before the first, and what that was, if the stream still has it.
   *
   * @throws BusUnavailable
   */
  end(): Promise<{ readonly seq: number; readonly last?: Pick<PublicMessage, 'id' | 'position'> }>;
  /**
   * Publishes a message, unless the last message has another number than `seq`.
   *
   * @returns its number; undefined if another message came first, or the stream had this one already
   * @throws BusUnavailable when it was not accepted, or when that is unknown
   */
  publish(message: PublicMessage, seq: number): Promise<number | undefined>;
}

/**
 * Carries events from relays to consumers, and notifications to waiters. Events arrive at least once, and
 * for each consumer in order within an aggregate. An event id that is published twice within two minutes
 * reaches a handler once, unless the process stops in between; handlers must be idempotent anyway.
 */
export interface Bus {
  /**
   * Publishes an event. Once this has resolved, the event will reach every consumer.
   *
   * @throws BusUnavailable when the event was not accepted, or when that is unknown
   */
  publish(event: OutgoingEvent): Promise<void>;
  /**
   * Starts a consumer.
   *
   * @throws TypeError when the name is not of the documented form, already in use on this bus, or a bound is broken
   */
  subscribe<F extends Fact>(options: SubscribeOptions<F>): Promise<Subscription>;
  readonly deadLetters: DeadLetters;
  /** Whether the broker is connected; always, where there is none. */
  readonly connected: boolean;
  /**
   * How many events each consumer of this process has yet to handle, in all processes together, by its name.
   *
   * @throws BusUnavailable
   */
  pending(): Promise<ReadonlyMap<string, number>>;
  /**
   * Notifies the waiters of `topic`, in this process and in the others. A notification may be lost or
   * duplicated. Never throws.
   */
  notify(topic: string): void;
  /**
   * Calls `fn`, which must not throw, at each notification of `topic`.
   *
   * @returns a function that stops the calls
   */
  onNotification(topic: string, fn: () => void): () => void;
  /**
   * Opens a topic of broadcasts; absent where there is one process only. Resolves when the messages that the broker has of
   * the last hour, 32 MiB of them at most, were received, and after a second in any case.
   *
   * @throws TypeError when the topic is not of the documented form
   */
  readonly openBroadcast?: (options: BroadcastOptions) => Promise<Broadcast>;
  /**
   * Opens the public stream, which keeps messages for `retentionMs` milliseconds unless its operator changed that; absent
   * where there is no broker.
   */
  readonly openPublicStream?: (settings: { readonly retentionMs: number }) => PublicStream;
  /** Closes every subscription as `Subscription.close` does, and refuses all later calls. */
  close(): Promise<void>;
}
