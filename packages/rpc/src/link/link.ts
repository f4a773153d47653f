import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Answer, WrittenAnswer as SentAnswer } from '@steward/proto/steward/rpc/v1/link_pb.ts';
import { CallHeaders } from '../call-headers.ts';
import { type AnswerForm, WrittenAnswer } from '../forwarded-answer.ts';
import { headers } from '../headers.ts';
import type { SessionManager } from '../session-manager.ts';
import { BatchReader, BatchWriter, sizeOf } from './batches.ts';
import { fromFailure } from './failure.ts';
import { LINK_PATH, LINK_WINDOW_BYTES, REFUSED_CREDENTIAL } from './protocol.ts';

const OK = 200;
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;

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
  /** The form of JSON in which the caller prefers the answer. */
  readonly form: AnswerForm | undefined;
}

/** The answer to a call. */
export interface LinkAnswer {
  readonly header: Headers;
  /** The answer as the instance wrote it, or its message. */
  readonly response: WrittenAnswer | Uint8Array;
}

/**
 * Calls an instance of a service over one HTTP/2 stream, opened by the first call and again by the next call after it
 * ended. A stream of its own for each call would cost both ends several times as much as the call.
 */
export class Link {
  readonly #sessions: SessionManager;
  readonly #credential: string;
  #opening: Promise<OpenLink> | undefined;
  #link: OpenLink | undefined;

  constructor(sessions: SessionManager, credential: string) {
    this.#sessions = sessions;
    this.#credential = credential;
  }

  /**
   * Makes a call.
   *
   * @throws ConnectError when the call failed, exceeded its deadline or was aborted
   * @throws Unanswered when the instance cannot be reached, ends, or is lost
   * @throws NoLinks when the instance has no links; nothing was sent
   */
  async call(call: LinkCall): Promise<LinkAnswer> {
    if (this.#link?.isUsable) return this.#link.call(call);
    const start = performance.now();
    const link = await untilEnd(this.#open(), call);
    const timeoutMs = Math.max(1, Math.ceil(call.timeoutMs - (performance.now() - start)));
    return link.call({ ...call, timeoutMs });
  }

  #open(): Promise<OpenLink> {
    this.#opening ??= openLink(this.#sessions, this.#credential)
      .then((link) => {
        this.#link = link;
        return link;
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }
}

/** Waits for the opening of a link, no longer than the caller does. */
async function untilEnd(
  opening: Promise<OpenLink>,
  { timeoutMs, signal }: Pick<LinkCall, 'timeoutMs' | 'signal'>,
): Promise<OpenLink> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tookTooLong()), timeoutMs);
  const onAbort = () => reject(aborted(signal));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([opening, ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function tookTooLong(): ConnectError {
  return new ConnectError('The call took too long', Code.DeadlineExceeded);
}

function aborted(signal: AbortSignal | undefined): ConnectError {
  return ConnectError.from(signal?.reason, Code.Canceled);
}

/** Opens the stream of a link. No call is sent before the instance has accepted it. */
async function openLink(sessions: SessionManager, credential: string): Promise<OpenLink> {
  const header = { [headers.credential]: credential };
  const stream = await sessions.request('POST', LINK_PATH, header, {}).catch((cause) => {
    throw new Unanswered(false, cause);
  });
  await new Promise<void>((resolve, reject) => {
    stream.once('response', ({ ':status': status }) => {
      if (status === OK) resolve();
      else reject(refusal(status));
    });
    stream.once('error', (cause) => reject(new Unanswered(false, cause)));
    stream.once('close', () => reject(new Unanswered(false, undefined)));
  }).catch((error) => {
    stream.on('error', () => {});
    stream.close();
    throw error;
  });
  return new OpenLink(stream, sessions);
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
  readonly resolve: (answer: LinkAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** A link whose stream is open. */
class OpenLink {
  readonly #session: ClientHttp2Session | undefined;
  readonly #writer: BatchWriter;
  readonly #pending = new Map<number, Pending>();
  /** Whether the instance accepts no more calls; it still answers those that it has accepted. */
  #isClosing = false;
  #isOver = false;
  #last = 0;

  constructor(stream: ClientHttp2Stream, sessions: SessionManager) {
    this.#session = stream.session as ClientHttp2Session | undefined;
    this.#writer = new BatchWriter(stream);
    // A link that is not used does not keep the process running.
    this.#session?.unref();
    this.#session?.setLocalWindowSize(LINK_WINDOW_BYTES);
    const reader = new BatchReader();
    stream.on('data', (chunk: Buffer) => {
      sessions.notifyResponseByteRead(stream);
      try {
        for (const { answers, refused, closing } of reader.read(chunk)) {
          for (const answer of answers) this.#settle(answer);
          for (const id of refused) this.#take(id)?.reject(new Unanswered(false, undefined));
          if (closing) this.#isClosing = true;
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
    stream.once('close', () => this.#end(undefined, false));
  }

  /** Whether it takes calls. */
  get isUsable(): boolean {
    return !this.#isClosing && !this.#isOver;
  }

  call({ method, header, timeoutMs, signal, request, form }: LinkCall): Promise<LinkAnswer> {
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
      const cancel = (error: ConnectError) => {
        this.#take(id)?.reject(error);
        if (!this.#isOver) this.#writer.add('cancelled', id, 0);
      };
      const timer = setTimeout(() => cancel(tookTooLong()), timeoutMs);
      const onAbort = () => cancel(aborted(signal));
      const release = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      if (this.#pending.size === 0) this.#session?.ref();
      this.#pending.set(id, {
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

  /** Ids are used again after 2^32 calls, when the first ones were answered long ago. */
  #nextId(): number {
    do this.#last = (this.#last + 1) >>> 0;
    while (this.#pending.has(this.#last));
    return this.#last;
  }

  #settle({ id, header, response, failure, written }: Answer): void {
    const answered = new CallHeaders(header);
    const pending = this.#take(id);
    if (failure) pending?.reject(fromFailure(failure, answered));
    else pending?.resolve({ header: answered, response: written ? textOf(written) : response });
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (!pending) return undefined;
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#session?.unref();
    return pending;
  }

  /** @param isComplete whether all calls that the instance accepted are answered */
  #end(cause: unknown, isComplete: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(new Unanswered(!isComplete, cause));
  }
}
