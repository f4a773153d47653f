import { readFile } from 'node:fs/promises';
import type { Prompt } from '../command/prompt.ts';
import { askPassword } from './ask-password.ts';

/** The name that stands for standard input. */
const STANDARD_INPUT = '-';

/**
 * Reads a password from a file, or asks for it.
 *
 * @param file `-` for the next line of standard input; `undefined` to ask
 * @throws Error in one line when it cannot be read, or is empty
 */
export async function readPassword(
  prompt: Pick<Prompt, 'askHidden' | 'isTerminal'>,
  file: string | undefined,
): Promise<string> {
  if (file === undefined) return askPassword(prompt);
  const password = file === STANDARD_INPUT ? await prompt.askHidden('Password: ') : await firstLineOf(file);
  if (password === '') throw new Error('The password is empty. No account was created.');
  return password;
}

async function firstLineOf(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).split(/\r?\n/, 1)[0] ?? '';
  } catch {
    throw new Error(`The password cannot be read from ${file}.`);
  }
}
