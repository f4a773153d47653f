import { Command } from 'commander';
import type { Cli } from './cli/cli.ts';
import { addCommonOptions } from './cli/common-options.ts';
import { addCommands } from './commands/mod.ts';
import { flowsOf } from './flows/mod.ts';
import table from './gen/commands.json' with { type: 'json' };
import { addOperations } from './operations/add-operations.ts';
import type { CommandTable } from './operations/operation-command.ts';
import { RELEASE } from './release.ts';

/** Returns the tree of all commands. */
export function createProgram(cli: Cli): Command {
  const program = new Command('stewardctl')
    .description('Administers a homeserver with steward, through its administrative API.')
    .version(RELEASE, '--version', 'Show the release.')
    .enablePositionalOptions();
  addCommonOptions(program);
  program.commandsGroup('The command line itself:');
  addCommands(program, cli);
  program.commandsGroup('Operations of the API:');
  const operations = table as unknown as CommandTable;
  addOperations(program, operations, cli);
  program.commandsGroup('Work with several operations:');
  for (const add of flowsOf(operations)) add(program, cli);
  return program;
}
