import { Argument, type Command } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { write } from '../io/io.ts';
import { completionScript, SHELLS } from './completion-script.ts';

/** Adds `completion`, which prints what a shell loads to complete commands and flags. */
export function addCompletion(program: Command, cli: Cli): void {
  program
    .command('completion')
    .summary('Prints the completion of commands and flags for a shell')
    .description(
      'Prints the completion of commands and flags for a shell. Load it in the start file of the shell:\n\n' +
        '  bash  eval "$(stewardctl completion bash)"\n' +
        '  zsh   eval "$(stewardctl completion zsh)"\n' +
        '  fish  stewardctl completion fish | source',
    )
    .addArgument(new Argument('<shell>', 'The shell: bash, zsh or fish.').choices(SHELLS))
    .action(async (shell: (typeof SHELLS)[number]) => {
      await write(cli.io.stdout, completionScript(program, shell));
    });
}
