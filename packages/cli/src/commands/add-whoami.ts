import type { Command } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { addCommonOptions } from '../cli/common-options.ts';

/** Adds `whoami`: the server, and whose token is used there with which scopes. */
export function addWhoami(program: Command, cli: Cli): void {
  const command = program
    .command('whoami')
    .description('Shows the server, and whose token is used there with which roles and scopes.');
  addCommonOptions(command).action(async () => {
    const output = await cli.output(command);
    const { server, client } = await cli.connection(command);
    const me = await client.me.get({}, { signal: cli.signal });
    await output.answer({ server, ...me });
  });
}
