import { readChunks } from '../core/byte-stream.ts';
import { StewardError } from '../core/errors.ts';
import { queryOf } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import { parseJson } from '../core/parse-json.ts';
import { backOffMs, pause } from '../core/pause.ts';
import { isPassing, type Send } from '../core/transport.ts';
import type { Event } from '../gen/schemas.ts';
import { parseEventStream } from './parse-event-stream.ts';

/**
 * An event of the feed: `type` says which fields `data` has. A later server may send types that this release of the library does not
 * know.
 */
export type StewardEvent = Event;

/** Which events to receive. */
export interface SubscribeParams {
  /** The position after which to begin; with the next event when unset. */
  readonly after?: number | undefined;
  /** Only events of these types; a type that ends in `.*` stands for all that begin so. */
  readonly types?: readonly string[] | undefined;
  /** Only events that concern this user, room or object. */
  readonly target?: string | undefined;
  /** Only events of this actor. */
  readonly actor?: string | undefined;
}

/**
 * How events are received. The signal ends the subscription: the loop then throws its reason. `timeoutMs` is the time until a connection is
 * made; `maxRetries` counts for the first connection only, because a lost one is made again for as long as it takes.
 */
export interface SubscribeOptions extends Omit<CallOptions, 'repeatable'> {
  /** Called when a connection is made: the first one, and each after a lost one. */
  readonly onConnect?: (() => void) | undefined;
  /** Called before each pause after a lost connection; the error is undefined when the server ended it in order. */
  readonly onReconnect?: ((pauseMs: number, error: StewardError | undefined) => void) | undefined;
}

/** The path of the feed. */
const PATH = '/_service/admin/v1/events';
/** The server sends something every 15 seconds. */
const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A server that asks for more is tried earlier, and one that asks for none is not overrun. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Yields the events of the feed as they happen, each once and in order. After a lost connection continues behind the last
 * event; after the first connection it does not give up.
 *
 * @throws StewardError with status 410 if the server no longer has the position, or for another refusal that stays
 */
export async function* subscribe(
  send: Send,
  { after, types, target, actor }: SubscribeParams,
  { onConnect, onReconnect, ...call }: SubscribeOptions,
): AsyncGenerator<StewardEvent> {
  const { signal } = call;
  // Events between the first connection and its first event would be lost if that connection were.
  let position = after ?? (await latestPosition(send, call));
  let connected = false;
  let failures = 0;
  let firstPauseMs = FIRST_PAUSE_MS;
  for (;;) {
    let failure: StewardError | undefined;
    const connection = new AbortController();
    const abort = () => connection.abort(signal?.reason);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const query = queryOf({ after: position, type: types, target, actor });
      const headers = {
        accept: 'text/event-stream',
        ...(connected ? { 'last-event-id': String(position) } : {}),
      };
      const request = { operation: 'events.subscribe', method: 'GET', path: `${PATH}${query}`, headers };
      const body = await send(
        request,
        // A lost connection is begun anew below, whatever the options of the client say.
        { ...call, signal: connection.signal, ...(connected ? { maxRetries: 0 } : {}) },
        streamOf,
      );
      connected = true;
      onConnect?.();
      const chunks = watch(readChunks(body), connection, () => {
        failures = 0;
      });
      for await (const message of parseEventStream(chunks)) {
        firstPauseMs = message.retryMs ?? firstPauseMs;
        const event = message.data === undefined ? undefined : (parseJson(message.data) as StewardEvent);
        const reached = event?.position ?? Number(message.id);
        if (!(reached > position)) continue;
        position = reached;
        if (event !== undefined) yield event;
        // Of what the connection brought before the signal, nothing more is yielded.
        signal?.throwIfAborted();
      }
    } catch (error) {
      signal?.throwIfAborted();
      failure = error instanceof StewardError ? error : lostConnection(error);
      // What fails on the server is not a refusal: it may work again.
      if (!connected || !(isPassing(failure) || failure.status >= 500)) throw failure;
    } finally {
      signal?.removeEventListener('abort', abort);
      connection.abort();
    }
    const asked = Math.min(failure?.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
    const pauseMs = Math.max(asked, backOffMs(failures++, firstPauseMs, LONGEST_PAUSE_MS));
    onReconnect?.(pauseMs, failure);
    await pause(pauseMs, signal);
  }
}

/** Returns the last position of the feed, behind which a subscription begins. */
function latestPosition(send: Send, options: CallOptions): Promise<number> {
  const request = {
    operation: 'events.subscribe',
    method: 'GET',
    path: `${PATH}${queryOf({ limit: 0 })}`,
    headers: { accept: 'application/json' },
  };
  return send(request, options, async (response) => {
    const { latest } = parseJson(await response.text(), response) as { readonly latest?: number };
    return latest ?? 0;
  });
}

/** @throws StewardError if the answer is not an event stream, for example because a proxy answered */
function streamOf(response: Response): ReadableStream<Uint8Array> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream') && response.body !== null) return response.body;
  throw new StewardError(`an answer that is not an event stream but ${type || 'empty'}`, {
    status: response.status,
    errcode: 'INVALID_ANSWER',
    headers: response.headers,
  });
}

/**
 * Ends the connection when nothing at all comes for longer than the server is ever silent. The time runs while the reader
 * waits, not while the reader works on what came.
 */
async function* watch(
  chunks: AsyncGenerator<Uint8Array>,
  connection: AbortController,
  onChunk: () => void,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const timer = setTimeout(() => connection.abort(lostConnection('silence')), SILENCE_MS);
    try {
      const { done, value } = await chunks.next();
      if (done) return;
      clearTimeout(timer);
      onChunk();
      yield value;
    } finally {
      clearTimeout(timer);
    }
  }
}

function lostConnection(cause: unknown): StewardError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new StewardError(`the connection was lost: ${message}`, {
    status: 0,
    errcode: 'NETWORK_ERROR',
    cause,
  });
}
