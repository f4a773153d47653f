import { readLines } from './lines.ts';
import { parseJson } from './parse-json.ts';

/** An answer of bytes, which is read while it arrives, once, in one of the ways below. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** The media type of the answer, possibly with parameters. */
  readonly contentType: string | undefined;
  readonly body: ReadableStream<Uint8Array>;
  /** The whole answer as text. */
  text(): Promise<string>;
  /** The JSON value of each line (NDJSON), without the empty ones. */
  lines<T = unknown>(): AsyncIterable<T>;
}

export function byteStreamOf(response: Response): ByteStream {
  const body = response.body ?? new Blob([]).stream();
  return {
    contentType: response.headers.get('content-type') ?? undefined,
    body,
    text: () => new Response(body).text(),
    lines: () => parseLines(body),
    [Symbol.asyncIterator]: () => readChunks(body),
  };
}

async function* parseLines<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  for await (const line of readLines(readChunks(body))) {
    if (line.trim() !== '') yield parseJson(line) as T;
  }
}

/** Reads a stream, which not every browser iterates. Ends it when the reader stops. */
export async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Of no effect on a stream that has ended.
    await reader.cancel().catch(() => undefined);
  }
}
