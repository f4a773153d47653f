import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import type { Prompts } from './prompts.ts';

/** A stream of text that people or programs read. */
export interface TextSink {
  readonly stream: Writable;
  readonly isTerminal: boolean;
  /** The width of the terminal in columns; undefined where there is none. */
  readonly columns: number | undefined;
}

/** What the command line has of its process, so that tests run it in theirs. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Loads the questions on the terminal when the first one is asked. */
  readonly prompts: () => Promise<Prompts>;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds, for durations. */
  readonly now: () => number;
  /** Milliseconds since the Unix epoch. */
  readonly time: () => number;
  /** Waits; rejects when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Reads the certificate of a server with `https:`. Rejects when no protected connection comes about. */
  readonly certificateOf: (server: URL, signal: AbortSignal) => Promise<Certificate>;
}

/** The certificate of a server. */
export interface Certificate {
  /** When it expires, in milliseconds since the Unix epoch. */
  readonly expiresTs: number;
  /** The version of TLS, such as `TLSv1.3`. */
  readonly protocol: string;
}

/** Whether a person can be asked: both the question and the answer are on a terminal. */
export function isInteractive({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTerminal;
}

/** Writes text, and resolves when the stream takes more. A reader that went away, as of `head`, ends the program quietly. */
export async function write({ stream }: TextSink, text: string | Uint8Array): Promise<void> {
  if (stream.write(text)) return;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      stream.off('drain', settle).off('close', settle).off('error', settle);
      if (error === undefined) resolve();
      else reject(error);
    };
    stream.once('drain', settle).once('close', settle).once('error', settle);
  });
}

/** Returns the standard input, which Ctrl-C ends: at a terminal it would otherwise wait for its end. */
export function inputOf({ stdin, signal }: Io): AsyncIterable<Uint8Array> {
  return addAbortSignal(signal, stdin);
}

/** Reads all of the standard input as text, without the last line break. */
export async function readAll(io: Io): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of inputOf(io)) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
