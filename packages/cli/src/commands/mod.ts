import type { Command } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { addApi } from './add-api.ts';
import { addCompletion } from './add-completion.ts';
import { addContexts } from './add-contexts.ts';
import { addHelp } from './add-help.ts';
import { addLogin } from './add-login.ts';
import { addWhoami } from './add-whoami.ts';

/** Adds the commands about the command line itself, which belong to no operation of the API. */
export function addCommands(program: Command, cli: Cli): void {
  addLogin(program, cli);
  addContexts(program, cli);
  addWhoami(program, cli);
  addApi(program, cli);
  addCompletion(program, cli);
  addHelp(program);
}
