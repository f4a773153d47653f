import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { Socket } from 'node:net';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Answer, WrittenAnswer as SentAnswer } from '@steward/proto/steward/rpc/v1/link_pb.ts';
import { CallHeaders } from '../call-headers.ts';
import { type AnswerForm, WrittenAnswer } from '../forwarded-answer.ts';
import { headers } from '../headers.ts';
import { CONNECTION_MEMORY_MB } from '../limits.ts';
import { BatchReader, BatchWriter, sizeOf } from './batches.ts';
import { fromFailure } from './failure.ts';
import { LINK_PATH, LINK_WINDOW_BYTES, REFUSED_CREDENTIAL } from './protocol.ts';

const OK = 200;
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;

/** How long an instance may take to accept a link, in milliseconds. */
const OPEN_LIMIT_MS = 5_000;

/** After how many silent ticks an instance is pinged that has calls to answer. */
const PING_TICKS = 1;

/** After how many silent ticks an instance is pinged that has none. */
const IDLE_PING_TICKS = 25;

/** For how many ticks a ping may be unanswered before other instances are called. */
const SILENT_TICKS = 3;

/**
 * For how many ticks a ping may be unanswered before the instance is lost. Many, because calls with side effects then fail,
 * and an instance on a busy machine may stop for seconds.
 */
const LOST_TICKS = 50;

/** A call that a link did not get answered. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  /** Whether a handler may have received the call. */
  readonly mayBeHandled: boolean;

  constructor(mayBeHandled: boolean, cause: unknown) {
    super('The call was not answered', { cause });
    this.mayBeHandled = mayBeHandled;
  }
}

/** An instance of an earlier release, which has no links. */
export class NoLinks extends Error {
  override readonly name = 'NoLinks';
}

/** A call to send. */
export interface LinkCall {
  /** The full name of the service and the name of the method, with a slash between them. */
  readonly method: string;
  readonly header: { readonly [key: string]: string };
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly request: Uint8Array<ArrayBuffer>;
  /** Whether another instance may repeat it, if this one is silent. */
  readonly isMovable: boolean;
  /** The form of JSON in which the caller prefers the answer. */
  readonly form: AnswerForm | undefined;
}

/** The answer to a call. */
export interface LinkAnswer {
  readonly header: Headers;
  /** The answer as the instance wrote it, or its message. */
  readonly response: WrittenAnswer | Uint8Array;
}

function tookTooLong(): ConnectError {
  return new ConnectError('The call took too long', Code.DeadlineExceeded);
}

function aborted(signal: AbortSignal | undefined): ConnectError {
  return ConnectError.from(signal?.reason, Code.Canceled);
}

/** What a link is opened with. */
export interface LinkOptions {
  /** The URL of the service, which need not name the instance. */
  readonly url: string;
  /** Connects to the instance. */
  readonly createConnection: () => Socket;
  readonly credential: string;
  /** Ends the opening. */
  readonly signal: AbortSignal;
  /** Receives that the link has become usable or silent, or is so no longer, and that it has ended. */
  readonly onChange: () => void;
}

/**
 * Opens a connection with the stream of a link. No call is sent before the instance has accepted it.
 *
 * @throws Unanswered when the instance cannot be reached, or does not accept the link in time
 * @throws NoLinks when the instance has no links
 * @throws ConnectError when the instance refuses the credential
 */
export async function openLink(options: LinkOptions): Promise<Link> {
  const { url, createConnection, credential, signal, onChange } = options;
  const session = connect(url, {
    createConnection,
    maxSessionMemory: CONNECTION_MEMORY_MB,
    settings: { initialWindowSize: LINK_WINDOW_BYTES },
  });
  // A link that is not used does not keep the process running.
  session.unref();
  // The stream reports them.
  session.on('error', () => {});
  const stop = () => session.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(stop, OPEN_LIMIT_MS).unref();
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': LINK_PATH,
      [headers.credential]: credential,
    });
    await accepted(stream);
    // It can have been lost since.
    if (stream.destroyed) throw new Unanswered(false, undefined);
    return new Link(session, stream, onChange);
  } catch (error) {
    session.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function accepted(stream: ClientHttp2Stream): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.once('response', ({ ':status': status }) => {
      if (status === OK) resolve();
      else reject(refusal(status));
    });
    stream.on('error', (cause) => reject(new Unanswered(false, cause)));
    stream.once('close', () => reject(new Unanswered(false, undefined)));
  });
}

function refusal(status: number | undefined): Error {
  if (status === NOT_FOUND) return new NoLinks('The instance is of an earlier release');
  if (status === UNAUTHORIZED) return new ConnectError(REFUSED_CREDENTIAL, Code.Unauthenticated);
  return new Unanswered(false, new Error(`The instance answered ${status}`));
}

function textOf({ status, body }: SentAnswer): WrittenAnswer {
  const { buffer, byteOffset, length } = body;
  return new WrittenAnswer(status, Buffer.from(buffer, byteOffset, length).toString());
}

/** A call that waits for its answer. */
interface Pending {
  readonly isMovable: boolean;
  readonly resolve: (answer: LinkAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls an instance of a service over one HTTP/2 stream, with a connection of its own. A stream of its own for each call
 * would cost both ends several times as much as the call.
 */
export class Link {
  readonly #session: ClientHttp2Session;
  readonly #writer: BatchWriter;
  readonly #onChange: () => void;
  readonly #pending = new Map<number, Pending>();
  /** Whether the instance accepts no more calls; it still answers those that it has accepted. */
  #isClosing = false;
  #isOver = false;
  #hasAnswered = false;
  #last = 0;
  /** Whether the instance has sent anything since the last tick. */
  #isHeard = false;
  /** Since how many ticks the instance has sent nothing. */
  #silentTicks = 0;
  /** At how many silent ticks it was pinged; `undefined` while no ping waits for its answer. */
  #pingedAt: number | undefined;
  #isSilent = false;
  /** Resolves when the link has ended. */
  readonly ended: Promise<void>;

  constructor(session: ClientHttp2Session, stream: ClientHttp2Stream, onChange: () => void) {
    this.#session = session;
    this.#writer = new BatchWriter(stream);
    this.#onChange = onChange;
    session.setLocalWindowSize(LINK_WINDOW_BYTES);
    const reader = new BatchReader();
    stream.on('data', (chunk: Buffer) => {
      this.#isHeard = true;
      try {
        for (const { answers, refused, closing } of reader.read(chunk)) {
          for (const answer of answers) this.#settle(answer);
          if (closing) {
            this.#isClosing = true;
            onChange();
          }
          for (const id of refused) this.#take(id)?.reject(new Unanswered(false, undefined));
        }
      } catch (error) {
        stream.destroy(error as Error);
      }
    });
    stream.once('end', () => {
      stream.end();
      // Node reports this end also for a stream whose connection was lost.
      this.#end(undefined, this.#isClosing && !stream.aborted);
    });
    stream.once('error', (error) => this.#end(error, false));
    this.ended = new Promise((resolve) => {
      stream.once('close', () => {
        this.#end(undefined, false);
        session.destroy();
        resolve();
      });
    });
  }

  /** Whether it takes calls. */
  get isUsable(): boolean {
    return !this.#isClosing && !this.#isOver;
  }

  /** Whether the instance does not answer a ping, so that other instances should be called. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Whether the instance has answered a call. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** How many calls wait for their answers. */
  get calls(): number {
    return this.#pending.size;
  }

  /**
   * Makes a call.
   *
   * @throws ConnectError when the call failed, exceeded its deadline or was aborted
   * @throws Unanswered when the instance ends, is lost, or the call was given back
   */
  call({ method, header, timeoutMs, signal, request, form, isMovable }: LinkCall): Promise<LinkAnswer> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(aborted(signal));
        return;
      }
      if (!this.isUsable) {
        reject(new Unanswered(false, undefined));
        return;
      }
      const id = this.#nextId();
      const timer = setTimeout(() => this.#cancel(id, tookTooLong()), timeoutMs);
      const onAbort = () => this.#cancel(id, aborted(signal));
      const release = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      if (this.#pending.size === 0) this.#session.ref();
      this.#pending.set(id, {
        isMovable,
        resolve(answer) {
          release();
          resolve(answer);
        },
        reject(error) {
          release();
          reject(error);
        },
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      const call = { id, method, header, timeoutMs, request };
      this.#writer.add('calls', form ? { ...call, form } : call, sizeOf(header, request));
    });
  }

  /**
   * Notices whether the instance is there: one that sends nothing is pinged, is silent when it does not answer that, and lost
   * when it still does not. To be called at a regular interval. Intervals are counted, rather than time, because what has
   * arrived is read in between also when this process was busy or stopped for long.
   */
  tick(): void {
    if (this.#isOver) return;
    if (this.#isHeard) {
      this.#isHeard = false;
      this.#silentTicks = 0;
      this.#pingedAt = undefined;
      this.#setSilent(false);
      return;
    }
    this.#silentTicks++;
    if (this.#pingedAt === undefined) {
      if (this.#silentTicks >= (this.#pending.size > 0 ? PING_TICKS : IDLE_PING_TICKS)) this.#ping();
      return;
    }
    const unanswered = this.#silentTicks - this.#pingedAt;
    if (unanswered >= SILENT_TICKS) this.#setSilent(true);
    if (unanswered >= LOST_TICKS) this.destroy(new Error('The instance does not answer pings'));
  }

  /** Gives back the calls that another instance may repeat. */
  release(): void {
    for (const [id, { isMovable }] of [...this.#pending])
      if (isMovable) this.#cancel(id, new Unanswered(true, new Error('The instance does not answer pings')));
  }

  /** Ends the link and its connection. Calls that wait for an answer are lost. */
  destroy(cause?: Error): void {
    this.#end(cause, false);
    this.#session.destroy();
  }

  #ping(): void {
    if (this.#session.destroyed) return;
    this.#pingedAt = this.#silentTicks;
    this.#session.ping((error) => {
      if (!error) this.#isHeard = true;
    });
  }

  #setSilent(isSilent: boolean): void {
    if (this.#isSilent === isSilent) return;
    this.#isSilent = isSilent;
    this.#onChange();
  }

  /** Ids are used again after 2^32 calls, when the first ones were answered long ago. */
  #nextId(): number {
    do this.#last = (this.#last + 1) >>> 0;
    while (this.#pending.has(this.#last));
    return this.#last;
  }

  #settle({ id, header, response, failure, written }: Answer): void {
    this.#hasAnswered = true;
    const answered = new CallHeaders(header);
    const pending = this.#take(id);
    if (failure) pending?.reject(fromFailure(failure, answered));
    else pending?.resolve({ header: answered, response: written ? textOf(written) : response });
  }

  #cancel(id: number, error: Error): void {
    this.#take(id)?.reject(error);
    if (!this.#isOver) this.#writer.add('cancelled', id, 0);
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (!pending) return undefined;
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#session.unref();
    return pending;
  }

  /** @param isComplete whether all calls that the instance accepted are answered */
  #end(cause: unknown, isComplete: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onChange();
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(new Unanswered(!isComplete, cause));
  }
}
