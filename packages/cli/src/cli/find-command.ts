import type { Command } from 'commander';

/**
 * Returns a command by its words, such as `users` and `deactivate`.
 *
 * @throws Error if there is none
 */
export function findCommand(program: Command, ...words: readonly string[]): Command {
  return words.reduce((command, word) => {
    const found = command.commands.find((each) => each.name() === word);
    if (found === undefined) throw new Error(`there is no command ${words.join(' ')}`);
    return found;
  }, program);
}
