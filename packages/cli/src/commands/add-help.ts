import type { Command } from 'commander';
import { usageFailure } from '../io/exit.ts';

/** Adds `help`, which shows the help of the command that its words name. */
export function addHelp(program: Command): void {
  program
    .command('help')
    .description('Shows the help of a command.')
    .argument('[command...]', 'The words of the command, such as users list.')
    .action((words: readonly string[]) => {
      let command = program;
      for (const word of words) {
        const next = command.commands.find((each) => each.name() === word);
        if (next === undefined) throw usageFailure(`there is no command ${words.join(' ')}`);
        command = next;
      }
      command.outputHelp();
    });
}
