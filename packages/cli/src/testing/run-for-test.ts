import { Readable, Writable } from 'node:stream';
import { Interrupted } from '../io/exit.ts';
import type { Io, TextSink } from '../io/io.ts';
import type { Prompts } from '../io/prompts.ts';
import { runCli } from '../run-cli.ts';

/** How a command is run in the process of a test. */
export interface RunOptions {
  readonly env?: Io['env'];
  readonly fetch?: typeof globalThis.fetch;
  /** What the standard input has. */
  readonly input?: string;
  /** The width of the terminal; without one, all streams are pipes. */
  readonly terminal?: number;
  readonly prompts?: Partial<Prompts>;
  readonly signal?: AbortSignal;
  /** What happens during each pause, which takes no time. */
  readonly onPause?: (ms: number) => void;
  readonly certificateOf?: Io['certificateOf'];
}

/** The time of tests, in milliseconds since the Unix epoch. */
export const TEST_TIME = Date.UTC(2026, 10, 23, 12);

/** What a command wrote, and with what it ended. */
export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command without a process of its own. Requests fail unless there is a `fetch`. */
export async function runForTest(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { io, written } = ioForTest(options);
  const exitCode = await runCli(io, args);
  return { exitCode, ...written() };
}

/** Returns streams and an environment of their own, and what is written there. */
export function ioForTest(options: RunOptions = {}): {
  readonly io: Io;
  written(): { readonly stdout: string; readonly stderr: string };
} {
  const stdout = sink(options.terminal);
  const stderr = sink(options.terminal);
  const io: Io = {
    env: { XDG_CONFIG_HOME: '/nonexistent', ...options.env },
    stdin: Object.assign(Readable.from(options.input === undefined ? [] : [Buffer.from(options.input)]), {
      isTTY: options.terminal !== undefined && options.input === undefined,
    }),
    stdout: stdout.sink,
    stderr: stderr.sink,
    signal: options.signal ?? new AbortController().signal,
    prompts: async () => ({
      confirm: unexpected,
      text: unexpected,
      secret: unexpected,
      select: unexpected,
      ...options.prompts,
    }),
    fetch: options.fetch ?? unexpected,
    now: () => 0,
    time: () => TEST_TIME,
    pause: async (ms, signal) => {
      options.onPause?.(ms);
      signal.throwIfAborted();
    },
    certificateOf: options.certificateOf ?? unexpected,
  };
  return { io, written: () => ({ stdout: stdout.text(), stderr: stderr.text() }) };
}

/** A run as a golden file has it. */
export function shown({ exitCode, stdout, stderr }: Run): string {
  return `${stdout}--- standard error\n${stderr}--- exit code ${exitCode}\n`;
}

/** A signal as after Ctrl-C. */
export function interruptedSignal(): AbortSignal {
  return AbortSignal.abort(new Interrupted());
}

function sink(columns: number | undefined): { readonly sink: TextSink; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return {
    sink: { stream, isTerminal: columns !== undefined, columns },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

async function unexpected(...args: unknown[]): Promise<never> {
  throw new Error(`unexpected: ${args.map(String).join(' ')}`);
}
