// Runs a command of the server in this process, which is the one that receives the signals. `./steward` calls it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMMANDS, FORMER_NAMES } from './commands.ts';

const HELP = new Set(['help', '--help', '-h']);
const NAME_WIDTH = 14;

const [node = '', , stated = '', ...args] = process.argv;
const name = FORMER_NAMES.get(stated) ?? stated;
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
const program = fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));

if (stated === '') {
  process.stderr.write(usage());
  process.exitCode = 1;
} else if (HELP.has(name)) {
  process.stdout.write(usage());
} else if (command === undefined) {
  fail(`there is no command "${name}"; there are ${Object.keys(COMMANDS).join(', ')}`);
} else if (command.isProcess && HELP.has(args[0] ?? '')) {
  process.stdout.write(
    `steward ${name} ${command.summary}. It has no options; docs/config.md lists its settings.\n`,
  );
} else if (command.isProcess && args.length > 0) {
  fail(`${name} has no options: it gets its settings from the environment and a file, see docs/config.md`);
} else if (!existsSync(program)) {
  fail('the programs are not built; run: npm run setup');
} else {
  process.argv = [node, program, ...args];
  await import(program);
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(
    ([each, { summary }]) => `  ${each.padEnd(NAME_WIDTH)}${summary}`,
  );
  return [
    'The administration service of a federated messaging homeserver.',
    '',
    '  steward <command> [options]',
    '',
    ...lines,
    '',
    'steward <command> --help lists the options of a command.',
    '',
  ].join('\n');
}

function fail(reason: string): void {
  process.stderr.write(`steward: ${reason}\n`);
  process.exitCode = 1;
}
