import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

/** Asks the user of the command for input. */
export interface Prompt {
  /** @throws Error when the input ends before the answer */
  ask(question: string): Promise<string>;
  /**
   * Works as `ask`, without showing the input.
   *
   * @throws Error when the input ends before the answer
   */
  askHidden(question: string): Promise<string>;
  /** Whether a human answers, who can mistype what is not shown. */
  readonly isTerminal: boolean;
  /** Closes the input. */
  close(): void;
}

/**
 * Opens a prompt on the terminal. Without a terminal the prompt shows nothing, and each answer is the next
 * line of standard input, which is not read before the first question.
 */
export function openPrompt(): Prompt {
  const isTerminal = process.stdin.isTTY === true;
  let hidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isTerminal && !hidden) process.stdout.write(chunk);
      done();
    },
  });
  let input: Interface | undefined;
  let lines: AsyncIterator<string> | undefined;
  const ask = async (question: string) => {
    input ??= createInterface({ input: process.stdin, output, terminal: isTerminal });
    lines ??= input[Symbol.asyncIterator]();
    input.setPrompt(hidden ? '' : question);
    input.prompt();
    const { done, value } = await lines.next();
    if (done) throw new Error(`The input ended before the answer to "${question.trim()}"`);
    return value;
  };
  return {
    isTerminal,
    ask,
    async askHidden(question) {
      if (isTerminal) process.stdout.write(question);
      hidden = true;
      try {
        return await ask(question);
      } finally {
        hidden = false;
        if (isTerminal) process.stdout.write('\n');
      }
    },
    close: () => input?.close(),
  };
}
