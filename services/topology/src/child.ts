import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { standardOutput } from '@steward/telemetry';

/** How long a process may take to be ready, in milliseconds; long, because creating indexes is slow on a busy machine. */
const READY_TIMEOUT_MS = 180_000;

/** The line with which a service reports that it is ready; see the banners of the entries. */
const READY = /^ready at (\S+)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the lines of processes go, which must not wait for its reader. */
const output = standardOutput();

/** The running child processes, which this process kills when it exits. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A process of the server. */
export interface Child {
  /** The URL at which it listens; the same after a restart. */
  readonly url: string;
  /** The id of the process that runs now, or ran last; `undefined` if none could be started. */
  readonly pid: number | undefined;
  /** Waits until it has ended, and returns its exit code, or the signal or error that ended it. */
  ended(): Promise<string>;
  /**
   * Ends it with SIGTERM as an operator does, and waits until it has drained. Has no effect when it has ended.
   *
   * @throws Error when it was ready and exits with another code than 0
   */
  stop(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /**
   * Starts it again, on the same port.
   *
   * @throws Error as `startChild` does
   */
  start(): Promise<void>;
}

/**
 * Starts a process and waits until it is ready. This process kills it at its own exit, unless this process is
 * killed itself.
 *
 * @param ready matches the line with which it reports that it is ready; its group is the URL
 * @throws Error with its error output when it ends before it is ready, or is not ready within three minutes
 */
export async function startChild(entry: string, env: Environment, ready = READY): Promise<Child> {
  let current = launch(entry, env, ready);
  const url = await current.ready;
  const envWithPort = { ...env, STEWARD_PORT: new URL(url).port };
  return {
    url,
    get pid() {
      return current.process.pid;
    },
    ended: () => current.ended,
    async stop() {
      const { process: child, isReady } = current;
      if (hasEnded(child)) return;
      await end(current, 'SIGTERM');
      if (isReady() && child.exitCode !== 0) throw new Error(`${entry} ended with ${howEnded(child)}`);
    },
    kill: () => end(current, 'SIGKILL'),
    async start() {
      current = launch(entry, envWithPort, ready);
      await current.ready;
    },
  };
}

/** One run of a process. */
interface Run {
  readonly process: ChildProcess;
  /** Its URL, when it is ready. */
  readonly ready: Promise<string>;
  isReady(): boolean;
  readonly ended: Promise<string>;
}

function launch(entry: string, env: Environment, readyLine: RegExp): Run {
  const child = spawn(process.execPath, [entry], { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', () => resolve(howEnded(child)));
    // It could not be started.
    child.once('error', ({ message }) => resolve(message));
  });
  ended.then(() => running.delete(child));
  let isReady = false;
  const ready = new Promise<string>((resolve, reject) => {
    let errors = '';
    const gather = (chunk: Buffer) => {
      errors += chunk;
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${entry} was not ready in time: ${errors.trim()}`));
    }, READY_TIMEOUT_MS);
    child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk)).on('data', gather);
    // Not `exit`, after which unread output may remain.
    child.once('close', () => {
      clearTimeout(timer);
      reject(new Error(`${entry} ended: ${errors.trim()}`));
    });
    eachLine(child.stdout, (line) => {
      const url = readyLine.exec(line)?.[1];
      if (url === undefined) {
        if (readyLine === READY) output.write(`${line}\n`);
      } else {
        clearTimeout(timer);
        child.stderr.off('data', gather);
        isReady = true;
        resolve(url);
      }
    });
  });
  return { process: child, ready, isReady: () => isReady, ended };
}

/** Passes on the lines of a text. Only a line feed ends one: the JSON of a line of the log may contain other separators. */
function eachLine(source: Readable, take: (line: string) => void): void {
  let rest = '';
  source.setEncoding('utf8');
  source.on('data', (text: string) => {
    const lines = text.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    lines.forEach(take);
  });
  source.once('end', () => {
    if (rest !== '') take(rest);
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function howEnded({ exitCode, signalCode }: ChildProcess): string {
  return signalCode ?? `exit code ${exitCode}`;
}

async function end({ process: child, ended }: Run, signal: NodeJS.Signals): Promise<void> {
  if (!hasEnded(child)) child.kill(signal);
  await ended;
}
