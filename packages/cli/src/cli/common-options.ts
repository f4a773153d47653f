import { type Command, Option } from 'commander';
import { usageFailure } from '../io/exit.ts';
import { OUTPUT_FORMATS, type OutputFormat } from '../output/output.ts';

/** The flags that every command has. */
export interface CommonOptions {
  readonly output?: OutputFormat;
  /** The columns of tables. */
  readonly columns?: readonly string[];
  readonly jq?: string;
  readonly color?: boolean;
  readonly server?: string;
  readonly context?: string;
  readonly reason?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  /** Of commands that can be planned. */
  readonly plan?: boolean;
  readonly verbose?: boolean;
}

const GROUP = 'Common options:';

/** Adds the flags that every command has, both in front of the command and behind it. */
export function addCommonOptions(command: Command): Command {
  const options = [
    withChoices(
      new Option(
        '-o, --output <format>',
        'How to write answers; table on a terminal, else json. A wide table has all columns, and times in UTC.',
      ),
      OUTPUT_FORMATS,
    ),
    new Option('--columns <names>', 'The fields that a table shows, separated by commas.'),
    new Option('--jq <filter>', 'Write what this filter of jq makes of each answer.'),
    new Option('--no-color', 'Write without colours, as with the variable NO_COLOR.'),
    new Option('--server <url>', 'The server, in place of that of the context. Variable STEWARD_SERVER.'),
    new Option('--context <name>', 'Use this context and not the current one.'),
    new Option('--reason <text>', 'Why it is done, for the audit log of the server.'),
    new Option('-y, --yes', 'Do not ask before something that cannot be taken back.'),
    new Option('--dry-run', 'Show the request and do not send it.'),
    new Option('-v, --verbose', 'Show each request on the standard error, without its secrets.'),
  ];
  for (const option of options) command.addOption(option.helpGroup(GROUP));
  return command.addHelpOption(new Option('-h, --help', 'Show this help.').helpGroup(GROUP));
}

/** Lets help and completion name the values of a flag; who reads the flag checks them. */
export function withChoices(option: Option, choices: readonly string[]): Option {
  option.argChoices = [...choices];
  return option;
}

/**
 * Returns the common flags of a command; those behind it go before those in front.
 *
 * @throws CommandFailure if there is no such format, or if columns are wanted and none is named
 */
export function commonOptions(command: Command): CommonOptions {
  const parents: Command[] = [];
  for (let each: Command | null = command; each !== null; each = each.parent) parents.unshift(each);
  const given = parents.flatMap((each) =>
    Object.entries(each.opts()).filter(([name]) => each.getOptionValueSource(name) === 'cli'),
  );
  const options: CommonOptions = Object.fromEntries(
    // As kubectl permits: -o=json.
    given.map(([name, value]) => [name, name === 'output' ? String(value).replace(/^=/, '') : value]),
  );
  if (options.output !== undefined && !OUTPUT_FORMATS.includes(options.output))
    throw usageFailure(`--output is one of ${OUTPUT_FORMATS.join(', ')}, not ${options.output}`);
  return options.columns === undefined ? options : { ...options, columns: namesIn(String(options.columns)) };
}

/** Columns are named as in the contract or as in the head of a table. */
function namesIn(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase().replaceAll(/[ -]/g, '_'));
  if (names.some((name) => name === ''))
    throw usageFailure(`--columns is a list of fields, such as name,creation_ts, not ${text}`);
  return names;
}
