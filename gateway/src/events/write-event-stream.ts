import { Readable } from 'node:stream';
import type { Message } from '@bufbuild/protobuf';

/** How often a client receives something, in milliseconds: proxies end connections that are silent for longer. */
const BEAT_MS = 15_000;

/** How many characters are written at a time, and buffered for a client that is slower than the service. */
const CHUNK_LENGTH = 16 * 1024;

/** A message of a streaming method, in the form that `compile` checks. */
export interface StreamedPage extends Message {
  readonly position: bigint;
  readonly events: readonly StreamedEvent[];
}

interface StreamedEvent extends Message {
  readonly position: bigint;
  readonly type: string;
}

/** How a stream is written. */
export interface WriteOptions {
  /** The position at which the stream begins. */
  readonly start: bigint;
  /** The pause before a client connects again, in milliseconds. */
  readonly retryMs: number;
  readonly writeEvent: (event: Message) => string;
  /** Whether the client has not accepted what was written before. */
  readonly isClogged: () => boolean;
}

/** What was written for events that several clients receive. */
const written = new WeakMap<StreamedEvent, string>();

/**
 * Writes messages as an event stream (`text/event-stream`): the id is a position, the event its type, the data its JSON. A
 * message without data says the position when the stream begins and when many events did not match. The messages are
 * read as fast as the client reads; the stream ends with them, also when they end with an error.
 */
export function writeEventStream(pages: AsyncIterable<StreamedPage>, options: WriteOptions): Readable {
  const { start, retryMs, writeEvent, isClogged } = options;
  let resume = () => {};
  let position = start;
  let sent = start;
  const beat = () => {
    // A client that does not read must make no visible progress, so that its connection is cut.
    if (body.readableLength > 0 || isClogged()) return;
    body.push(position > sent ? `:\nid: ${position}\n\n` : ':\n\n');
    if (position > sent) sent = position;
  };
  const timer = setInterval(beat, BEAT_MS).unref();
  const body = new Readable({
    highWaterMark: CHUNK_LENGTH,
    read: () => resume(),
    destroy(error, callback) {
      clearInterval(timer);
      resume();
      callback(error);
    },
  });
  const push = async (text: string) => {
    const isRead = new Promise<void>((resolve) => {
      resume = resolve;
    });
    if (!body.push(text) && !body.destroyed) await isRead;
  };
  const writeAll = async () => {
    await push(`: events after ${start}\nretry: ${retryMs}\nid: ${start}\n\n`);
    for await (const page of pages) {
      let text = '';
      for (const event of page.events) {
        text += frame(event, writeEvent);
        sent = event.position;
        if (text.length < CHUNK_LENGTH) continue;
        await push(text);
        text = '';
        if (body.destroyed) return;
      }
      if (text !== '') await push(text);
      ({ position } = page);
      if (body.destroyed) return;
    }
  };
  const end = () => {
    clearInterval(timer);
    if (!body.destroyed) body.push(null);
  };
  // The service has reported its failure. The client continues after its last position, and receives the refusal then.
  writeAll().then(end, end);
  return body;
}

function frame(event: StreamedEvent, writeEvent: WriteOptions['writeEvent']): string {
  const known = written.get(event);
  if (known !== undefined) return known;
  // Line breaks are possible between the members of a payload only.
  const json = writeEvent(event).replaceAll(/[\r\n]/g, ' ');
  const text = `id: ${event.position}\nevent: ${event.type}\ndata: ${json}\n\n`;
  written.set(event, text);
  return text;
}
