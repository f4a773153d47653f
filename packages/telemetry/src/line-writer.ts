import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { symbols } from 'pino';

const STANDARD_OUTPUT_FD = 1;

/** How many bytes of lines may wait for a reader. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** How long to wait before a reader that is behind is tried again, in milliseconds. */
const RETRY_MS = 50;

/** How long the end of the process waits for a reader that is behind, and how often it tries, in milliseconds. */
const END_WAIT_MS = 500;
const END_RETRY_MS = 5;

/** The severity from which a line is written at once, in pino's numbers: `warn`. */
const URGENT_LEVEL = 40;

/**
 * Writes the lines of a log. The lines of one turn of the event loop are one write; a line of level `warn` or above is written
 * at once, with those before it. The process never waits for the reader of its output: up to 1 MiB of lines wait for it,
 * further lines are left out, and a line says how many. At its end it waits half a second for a reader that is behind.
 */
export class LineWriter {
  /** Asks pino for the level of each line. */
  readonly [symbols.needsMetadataGsym] = true;
  /** The level of the next line; set by pino. */
  lastLevel = 0;
  readonly #fd: number;
  #lines = '';
  /** What the reader has not taken yet of an earlier write. */
  #rest: Uint8Array = new Uint8Array();
  #leftOut = 0;
  #scheduled = false;
  #retry: NodeJS.Timeout | undefined;

  /** @param fd a file, or a pipe that does not block */
  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Takes one line, which ends with a line feed. */
  write(line: string): void {
    if (this.#lines.length + this.#rest.length + line.length > MAX_WAITING_BYTES) {
      this.#leftOut++;
      return;
    }
    this.#lines += line;
    if (this.lastLevel >= URGENT_LEVEL) this.flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.flush();
      });
    }
  }

  /** Writes as many of the lines as the reader takes now. */
  flush(): void {
    if (this.#retry) return;
    while (this.#take()) {
      try {
        const written = writeSync(this.#fd, this.#rest);
        this.#rest = this.#rest.subarray(written);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
          this.#retryLater();
          return;
        }
        // The reader is gone, or the disk is full: a server must not end for its log.
        this.#rest = new Uint8Array();
      }
    }
  }

  /** Writes what is left before the process ends; a reader that is behind has a moment to take it. */
  end(): void {
    const deadline = performance.now() + END_WAIT_MS;
    const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    for (;;) {
      clearTimeout(this.#retry);
      this.#retry = undefined;
      this.flush();
      if (!this.#retry || performance.now() >= deadline) return;
      Atomics.wait(never, 0, 0, END_RETRY_MS);
    }
  }

  /** Whether bytes are left to write. */
  #take(): boolean {
    if (this.#rest.length > 0) return true;
    if (this.#leftOut > 0) {
      const time = new Date().toISOString();
      this.#lines += `${JSON.stringify({ level: 'warn', time, lines: this.#leftOut, msg: 'lines of the log were left out' })}\n`;
      this.#leftOut = 0;
    }
    this.#rest = Buffer.from(this.#lines);
    this.#lines = '';
    return this.#rest.length > 0;
  }

  #retryLater(): void {
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.flush();
    }, RETRY_MS).unref();
  }
}

let standard: LineWriter | undefined;

/** The writer of standard output, which all loggers of the process share. */
export function standardOutput(): LineWriter {
  if (!standard) {
    const lines = new LineWriter(withoutBlocking(STANDARD_OUTPUT_FD));
    process.once('exit', () => lines.end());
    standard = lines;
  }
  return standard;
}

/**
 * A pipe, opened once more so that a write does not wait for its reader: the mode of the given descriptor is shared with other
 * processes. Files never block, terminals and sockets cannot be opened in this way; they are returned as they are.
 */
function withoutBlocking(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}
