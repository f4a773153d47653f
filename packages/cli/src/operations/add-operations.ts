import { Argument, Command, Option } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { addCommonOptions, withChoices } from '../cli/common-options.ts';
import type { CommandParameter, CommandTable, OperationCommand } from './operation-command.ts';
import { TIME_FORMS } from './read-time.ts';
import { runOperation } from './run-operation.ts';

const REQUEST = 'Request:';
/** What the API takes; the command line takes more. */
const UNIT = /,? in milliseconds since the Unix epoch/;
const USER_ID = 'Or its first part: bob for @bob:example.org.';

/** Adds the commands of all operations of the administrative API, by group. */
export function addOperations(program: Command, table: CommandTable, cli: Cli): void {
  for (const { name, description } of table.groups) {
    const group = new Command(name).description(description);
    for (const operation of table.commands) {
      if (operation.group === name) group.addCommand(commandOf(operation, cli));
    }
    program.addCommand(group);
  }
}

function commandOf(operation: OperationCommand, cli: Cli): Command {
  const command = new Command(operation.name).summary(operation.summary).description(operation.description);
  for (const parameter of operation.parameters) {
    if (parameter.flag === undefined)
      command.addArgument(
        new Argument(
          `<${parameter.name}>`,
          parameter.user ? `${parameter.description} ${USER_ID}` : parameter.description,
        ),
      );
    else addFlag(command, parameter, parameter.flag);
  }
  if (operation.hasBody)
    command.addOption(
      new Option(
        '--body <json>',
        'The body as JSON, as @ and the path of a file, or - for the standard input. Flags go before its fields.',
      ).helpGroup(REQUEST),
    );
  if (operation.list?.cursor !== undefined)
    command
      .addOption(new Option('--all', 'Follow the list to its end.').helpGroup(REQUEST))
      .addOption(
        new Option('--limit <count>', 'Follow the list until it has so many rows.').helpGroup(REQUEST),
      );
  if (operation.keyed)
    command.addOption(
      new Option(
        '--idempotency-key <key>',
        'Make the change once for this key, however often the command is run. A new key for each run by default.',
      ).helpGroup(REQUEST),
    );
  if (operation.planned)
    command.addOption(
      new Option('--plan', 'Show what it would do, as the server says, and do nothing.').helpGroup(REQUEST),
    );
  addCommonOptions(command);
  command.action(() => runOperation(cli, command, operation));
  return command;
}

function addFlag(command: Command, parameter: CommandParameter, flag: string): void {
  const notes = [
    ...(parameter.time ? [`As ${TIME_FORMS}.`] : []),
    ...(parameter.user ? [USER_ID] : []),
    ...(parameter.required ? ['Required.'] : []),
    ...(parameter.list ? ['Repeatable.'] : []),
  ];
  const described = parameter.time ? parameter.description.replace(UNIT, '') : parameter.description;
  const description = [described, ...notes].join(' ');
  if (parameter.file) {
    const source = `${description} The path of a file, or - for the standard input.`;
    command.addOption(new Option(`--${flag} <path>`, source).helpGroup(REQUEST));
  } else if (parameter.secret) {
    const source = `${description} Read from a file, or from the standard input or the terminal for -.`;
    command.addOption(new Option(`--${flag} <path>`, source).helpGroup(REQUEST));
  } else if (parameter.type === 'boolean' && !parameter.list) {
    command.addOption(new Option(`--${flag}`, description).helpGroup(REQUEST));
    command.addOption(new Option(`--no-${flag}`).helpGroup(REQUEST).hideHelp());
  } else {
    const option = new Option(`--${flag} <${placeholder(parameter)}>`, description).helpGroup(REQUEST);
    if (parameter.list)
      option.argParser((text: string, earlier: readonly string[] = []) => [...earlier, text]);
    command.addOption(parameter.choices === undefined ? option : withChoices(option, parameter.choices));
  }
}

function placeholder({ type, choices, time, user }: CommandParameter): string {
  if (choices !== undefined) return 'choice';
  if (time) return 'time';
  if (user) return 'user';
  if (type === 'json') return 'json';
  return type === 'integer' || type === 'number' ? 'number' : 'text';
}
