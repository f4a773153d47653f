import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Random } from '@steward/kernel';
import { delayAfter } from '../delays.ts';
import { BusUnavailable } from '../errors.ts';
import type { Report } from '../report.ts';
import { type Broker, clientOptions, refusalIn } from './broker.ts';
import { parseServers } from './parse-servers.ts';
import { PendingAnswers } from './pending-answers.ts';

/** A connection, and the two parts of the JetStream client on it. */
export interface Connection {
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
}

/** The settings of a link. */
export interface LinkOptions {
  readonly broker: Broker;
  /** The name of this client. */
  readonly client: string;
  readonly random: Random;
  readonly report: Report;
  /** Prepares a new connection before its use; when it throws, the link closes the connection. */
  readonly prepare: (connection: Connection) => Promise<void>;
}

/** The pauses after the first, second, ... failed attempt to connect. */
const RETRY_DELAYS_MS = [250, 500, 1_000] as const;
/** How long one attempt to connect, or one request to the broker, may take. */
const TIMEOUT_MS = 5_000;
/** How many failed attempts with the same reason are reported once: with the longest pause, those of a minute. */
const ATTEMPTS_PER_REPORT = 60;
/** How often the client pings the broker; after two unanswered pings the connection counts as lost. */
const PING_INTERVAL_MS = 10_000;

/**
 * Maintains a connection to the broker: it tries to connect, without limit, until `close`. It is `down`
 * (no connection yet, or lost and being restored), `up` or closed.
 */
export class Link {
  readonly #options: LinkOptions;
  readonly #listeners = new Set<(up: boolean) => void>();
  readonly #over = Promise.withResolvers<void>();
  readonly #ended: Promise<void>;
  #nc: NatsConnection | undefined;
  #connection: Connection | undefined;
  #ready = Promise.withResolvers<Connection>();
  readonly #answers = new PendingAnswers();
  #closed = false;
  readonly #servers: readonly string[];
  /** Rejects when the broker refuses the link. */
  readonly #refused = Promise.withResolvers<never>();
  /** The latest failure to connect, and how many attempts failed with it. */
  #failure = { reason: '', attempts: 0 };

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#servers = parseServers(options.broker.servers).servers;
    ignoreRejection(this.#ready.promise);
    ignoreRejection(this.#refused.promise);
    this.#ended = this.#keepConnected();
  }

  get up(): boolean {
    return this.#connection !== undefined;
  }

  /**
   * Sends a request to the broker and returns the answer.
   *
   * @throws BusUnavailable when the link is down or closed, or goes down before the answer arrives
   */
  async request<T>(send: (connection: Connection) => Promise<T>): Promise<T> {
    if (!this.#connection) throw new BusUnavailable('The broker is not connected');
    return this.#answers.wait(send(this.#connection));
  }

  /** Sends a message that may be lost, and is lost when the link is down. */
  send(subject: string, payload: string | Uint8Array): void {
    try {
      this.#connection?.nc.publish(subject, payload);
    } catch (error) {
      this.#options.report('A message to the broker was lost', { error });
    }
  }

  /**
   * Waits until the link is up.
   *
   * @throws BusUnavailable when the link is closed
   */
  ready(): Promise<Connection> {
    return this.#ready.promise;
  }

  /**
   * Never resolves.
   *
   * @throws BusRefused when the broker refuses the credentials, or the two cannot agree on TLS; the link tries again, because
   * that may be corrected
   */
  refused(): Promise<never> {
    return this.#refused.promise;
  }

  /**
   * Calls `fn` whenever the link goes up or down.
   *
   * @returns a function that stops the calls
   */
  onChange(fn: (up: boolean) => void): () => void {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  }

  /** Sends the buffered messages if the link is up, and closes the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#over.resolve();
    // Draining fails if the connection breaks; `#connectOnce` then closes it.
    if (this.up) await this.#nc?.drain().catch(() => {});
    await this.#nc?.close();
    await this.#ended;
  }

  async #keepConnected(): Promise<void> {
    let failures = 0;
    while (!this.#closed) {
      try {
        await this.#connectOnce(() => {
          failures = 0;
        });
      } catch (error) {
        failures++;
        this.#reportFailure(error as Error);
      }
      if (!this.#closed)
        await this.#pause(delayAfter(Math.max(failures, 1), RETRY_DELAYS_MS, this.#options.random));
    }
    this.#ready.reject(new BusUnavailable('The bus is closed'));
  }

  /** Reports the first attempt that fails for a reason, and then one of many, so that the log stays readable. */
  #reportFailure(error: Error): void {
    const broker = this.#servers.join(', ');
    const [reason = ''] = error.message.split('\n', 1);
    const known = reason === this.#failure.reason;
    const attempts = known ? this.#failure.attempts + 1 : 1;
    this.#failure = { reason, attempts };
    const refusal = refusalIn(error, this.#servers);
    if (refusal) this.#refused.reject(refusal);
    if (attempts % ATTEMPTS_PER_REPORT === 1) {
      this.#options.report('The broker cannot be reached', { broker, reason, attempts });
    }
  }

  /** Connects, and resolves when the connection has ended and the client no longer restores it. */
  async #connectOnce(connected: () => void): Promise<void> {
    const nc = await connect({
      ...clientOptions(this.#options.broker, this.#options.client),
      timeout: TIMEOUT_MS,
      pingInterval: PING_INTERVAL_MS,
      // The client restores a lost connection without limit, also after a refusal of the credentials, which may be corrected.
      maxReconnectAttempts: -1,
      reconnectDelayHandler: () => delayAfter(1, RETRY_DELAYS_MS.slice(-1), this.#options.random),
      ignoreAuthErrorAbort: true,
      // A process does not notify itself over the broker.
      noEcho: true,
    });
    this.#nc = nc;
    try {
      if (this.#closed) return;
      const statuses = nc.status();
      const connection = {
        nc,
        js: jetstream(nc, { timeout: TIMEOUT_MS }),
        jsm: await jetstreamManager(nc, { checkAPI: false, timeout: TIMEOUT_MS }),
      };
      await this.#options.prepare(connection);
      connected();
      this.#goUp(connection);
      for await (const { type } of statuses) {
        if (type === 'disconnect') this.#goDown();
        else if (type === 'reconnect') this.#goUp(connection);
      }
    } finally {
      this.#goDown();
      await nc.close();
      this.#nc = undefined;
    }
  }

  #goUp(connection: Connection): void {
    if (this.up) return;
    this.#connection = connection;
    this.#failure = { reason: '', attempts: 0 };
    this.#ready.resolve(connection);
    for (const listener of this.#listeners) listener(true);
  }

  #goDown(): void {
    if (!this.up) return;
    this.#connection = undefined;
    this.#ready = Promise.withResolvers();
    ignoreRejection(this.#ready.promise);
    this.#answers.giveUp(new BusUnavailable('The broker went away'));
    if (!this.#closed) this.#options.report('The broker is away', {});
    for (const listener of this.#listeners) listener(false);
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([promise, this.#over.promise]);
    clearTimeout(timer);
  }
}

/** Keeps an unawaited rejection from ending the process. */
function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => {});
}
