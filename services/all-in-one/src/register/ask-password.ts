import type { Prompt } from '../command/prompt.ts';

/**
 * Asks for a new password, on a terminal twice.
 *
 * @throws Error when the two differ, or the input ends before the answer
 */
export async function askPassword(prompt: Pick<Prompt, 'askHidden' | 'isTerminal'>): Promise<string> {
  const password = await prompt.askHidden('Password: ');
  if (prompt.isTerminal && (await prompt.askHidden('The same again: ')) !== password) {
    throw new Error('The two passwords differ. No account was created.');
  }
  return password;
}
