import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Transport } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import type { Random } from '@steward/kernel';
import { sendCredential } from '../interceptors/credential.ts';
import { CONNECTION_MEMORY_MB, MESSAGE_LIMIT_BYTES } from '../limits.ts';
import { type Link, NoLinks, openLink, Unanswered } from '../link/link.ts';
import { SessionManager } from '../session-manager.ts';
import { connectionOptions, HANDSHAKE_LIMIT_MS, type Tls } from '../tls.ts';
import type { Address } from './addresses.ts';

/** The default deadline of a call, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/** How long connecting may take, in milliseconds: packets to a machine that is gone may be lost without an error. */
const CONNECT_LIMIT_MS = 1_000;

/** The intervals of pings on a connection whose streams are silent, and how long their answers may take, in milliseconds. */
const STREAM_PINGS = { pingIntervalMs: 5_000, pingTimeoutMs: 5_000 };

/** The pause before the second attempt to connect, in milliseconds; it doubles with each further one. */
const FIRST_PAUSE_MS = 50;

/** The longest pause between two attempts, in milliseconds. */
const LONGEST_PAUSE_MS = 1_000;

/** What an instance needs. */
export interface InstanceOptions {
  readonly address: Address;
  readonly credential: string;
  readonly tls: Tls | undefined;
  readonly random: Random;
  /** Receives that it has become ready or silent, or is so no longer. */
  readonly onChange: () => void;
  /** Receives why it is not connected. */
  readonly onLost: (cause: unknown) => void;
}

/** An instance of a service. It connects, and does so again when the connection is lost, until it is retired or closed. */
export class Instance {
  readonly #options: InstanceOptions;
  /** Streams, the calls of an instance of an earlier release, and questions for its health. */
  readonly transport: Transport;
  readonly #sessions: SessionManager;
  readonly #closed = new AbortController();
  #link: Link | undefined;
  /** Reports that an instance of an earlier release was lost. */
  #lose: (() => void) | undefined;
  #isRetired = false;
  #streams = 0;
  /** How many attempts in a row gave no connection over which a call was answered. */
  #failures = 0;

  constructor(options: InstanceOptions) {
    const { address, credential, tls } = options;
    this.#options = options;
    this.#sessions = new SessionManager(address.url, STREAM_PINGS, {
      maxSessionMemory: CONNECTION_MEMORY_MB,
      createConnection: () => connectTo(address, tls),
    });
    this.transport = createConnectTransport({
      httpVersion: '2',
      useBinaryFormat: true,
      baseUrl: address.url,
      sessionManager: this.#sessions,
      interceptors: [sendCredential(credential)],
      readMaxBytes: MESSAGE_LIMIT_BYTES,
      writeMaxBytes: MESSAGE_LIMIT_BYTES,
      // Within a data centre compression costs more than it saves, most of all for media, which are compressed.
      acceptCompression: [],
      defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
    });
    void this.#keepConnected();
  }

  /** Its link; `undefined` while it is not connected, and for an instance of an earlier release. */
  get link(): Link | undefined {
    return this.#link;
  }

  /** Whether it takes calls. */
  get isReady(): boolean {
    if (this.#isRetired) return false;
    return this.#link ? this.#link.isUsable : this.#lose !== undefined;
  }

  /** Whether it does not answer pings. */
  get isSilent(): boolean {
    return this.#link?.isSilent === true;
  }

  /** How many calls are in progress. */
  get calls(): number {
    return this.#streams + this.#sessions.streams + (this.#link?.calls ?? 0);
  }

  /** Whether a stream can begin: its connection is separate from that of the link. */
  async connectStreams(): Promise<boolean> {
    return (await this.#sessions.connect()) !== 'error';
  }

  /** Counts a stream as a call in progress until it is open. */
  async opening<T>(open: () => Promise<T>): Promise<T> {
    this.#streams++;
    try {
      return await open();
    } finally {
      this.#streams--;
    }
  }

  /** Notes that the connection of an instance of an earlier release was lost. */
  lose(): void {
    this.#lose?.();
  }

  /** To be called at a regular interval. */
  tick(): void {
    this.#link?.tick();
  }

  /** Takes no more calls. */
  retire(): void {
    this.#isRetired = true;
  }

  /** Ends everything at once. */
  close(): void {
    this.#isRetired = true;
    this.#closed.abort();
    this.#link?.destroy();
    this.#sessions.abort();
  }

  async #keepConnected(): Promise<void> {
    const { signal } = this.#closed;
    const { random, onLost } = this.#options;
    while (!this.#isRetired) {
      try {
        await this.#connection(signal);
        onLost(undefined);
      } catch (error) {
        onLost(error instanceof Unanswered ? error.cause : error);
      }
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
      this.#failures++;
      // Not all processes at once connect to an instance that has started.
      const jitterMs = random.below(pauseMs / 2);
      await wait(pauseMs - jitterMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Connects, and resolves when the connection is lost. */
  async #connection(signal: AbortSignal): Promise<void> {
    const { address, credential, tls, onChange } = this.#options;
    const createConnection = () => connectTo(address, tls);
    try {
      const link = await openLink({ url: address.url, createConnection, credential, signal, onChange });
      this.#link = link;
      onChange();
      await link.ended;
      if (link.hasAnswered) this.#failures = 0;
    } catch (error) {
      if (!(error instanceof NoLinks)) throw tls ? explained(error, address) : error;
      const lost = new Promise<void>((resolve) => {
        this.#lose = resolve;
      });
      onChange();
      await lost;
      this.#failures = 0;
    } finally {
      this.#link = undefined;
      this.#lose = undefined;
      onChange();
    }
  }
}

/** A server ends a connection, without an error, when it does not accept the certificate. */
function explained(error: unknown, { host }: Address): unknown {
  if (!(error instanceof Unanswered) || error.cause !== undefined) return error;
  const cause = new Error(`${host} ended the connection; it may not accept the certificate of this process`);
  return new Unanswered(error.mayBeHandled, cause);
}

function connectTo({ host, port, url }: Address, tls: Tls | undefined): Socket {
  const socket = tls
    ? connectTls({ host, port, ...connectionOptions(tls.current(), url) })
    : connect({ host, port });
  const within = (ms: number) =>
    setTimeout(() => {
      const error = Object.assign(new Error(`${host} does not answer`), { code: 'ETIMEDOUT' });
      socket.destroy(error);
    }, ms).unref();
  let timer = within(CONNECT_LIMIT_MS);
  const done = () => clearTimeout(timer);
  if (!tls) return socket.once('connect', done).once('close', done);
  socket.once('connect', () => {
    done();
    timer = within(HANDSHAKE_LIMIT_MS);
  });
  return socket.once('secureConnect', done).once('close', done);
}
