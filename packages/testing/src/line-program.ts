import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** How long a program may take to answer, in milliseconds: some wait while a server is away. */
const ANSWER_MS = 120_000;

/** A running program that reads commands, each a line of JSON, and answers each with a line of JSON. */
export interface LineProgram {
  /**
   * Gives it a command, once it has answered those before.
   *
   * @returns its answer
   * @throws Error when it ends, or takes longer than two minutes; with what it has written to its log
   */
  ask(command: unknown): Promise<unknown>;
  /** What it has written to its log. */
  log(): string;
  /** Ends it at once. */
  kill(): Promise<void>;
}

/** Starts a program that answers lines. */
export function startLineProgram(
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = process.env,
): LineProgram {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  const answerTo = async (command: unknown): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await inTime(answers.next(), () => `${program} did not answer: ${log}`);
    if (done) throw new Error(`${program} ended: ${log}`);
    return JSON.parse(value);
  };
  return {
    ask(command) {
      const answer = last.then(() => answerTo(command));
      last = answer.catch(() => {});
      return answer;
    },
    log: () => log,
    kill: () => kill(child),
  };
}

async function inTime<T>(work: Promise<T>, complaint: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(complaint())), ANSWER_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
