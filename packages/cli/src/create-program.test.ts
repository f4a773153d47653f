import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createCli } from './cli/cli.ts';
import { findCommand } from './cli/find-command.ts';
import { createProgram } from './create-program.ts';
import table from './gen/commands.json' with { type: 'json' };
import { ioForTest } from './testing/run-for-test.ts';

interface Described {
  readonly operationId: string;
}

const document: { readonly paths: Record<string, Record<string, Described>> } = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
);

/** The operations of the administrative API, without the further paths that some have. */
const documented = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/_service/admin/'))
  .flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId))
  .filter((operationId) => !/_\d+$/.test(operationId));

/** The steps of a sign-in, and of adding a passkey, that only a browser carries out. */
const OF_BROWSERS =
  /^PasskeyService_(?:Add|Begin)Passkey(?:SignIn|StepUp)?$|^ProviderSignInService_(?:Start|Complete)ConsoleSignIn$/;

it('every administrative operation is one command, but those of browsers', () => {
  const commanded = documented.filter((operationId) => !OF_BROWSERS.test(operationId));
  const program = createProgram(createCli(ioForTest().io));
  const reached = table.commands.map(({ operationId, group, name, summary }) => {
    expect(findCommand(program, group, name).summary()).toBe(summary);
    return operationId;
  });
  expect(reached.toSorted()).toEqual(commanded.toSorted());
  expect(new Set(table.commands.map(({ group, name }) => `${group} ${name}`)).size).toBe(commanded.length);
});

it('no command has two flags or commands of one name', () => {
  const walk = (command: ReturnType<typeof createProgram>): void => {
    const flags = command.options
      .flatMap(({ long, short }) => [long, short])
      .filter((flag) => flag !== undefined);
    const names = command.commands.map((each) => each.name());
    expect([command.name(), flags.filter((flag, at) => flags.indexOf(flag) < at)]).toEqual([
      command.name(),
      [],
    ]);
    expect([command.name(), names.filter((name, at) => names.indexOf(name) < at)]).toEqual([
      command.name(),
      [],
    ]);
    command.commands.forEach(walk);
  };
  walk(createProgram(createCli(ioForTest().io)));
});

it('has every command that the documents name', () => {
  const program = createProgram(createCli(ioForTest().io));
  const named = ['README.md', 'docs/cli.md', 'packages/cli/README.md'].flatMap((path) => {
    const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    return [
      ...text.matchAll(/(?:\bstewardctl|\bnpm run --silent ctl --) ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g),
    ];
  });
  expect(named.length).toBeGreaterThan(10);
  for (const [text, first = '', second = ''] of named) {
    const command = findCommand(program, first);
    const isGroup = command.commands.length > 0;
    expect([text, isGroup && second !== '' ? findCommand(command, second).name() : '']).toEqual([
      text,
      isGroup ? second : '',
    ]);
  }
});

it('has every command and flag that the table of synadm names', () => {
  const program = createProgram(createCli(ioForTest().io));
  const text = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `[a-z3][^`]*` \| (.+) \|$/gm)].map(([, equal = '']) => equal);
  expect(rows.length).toBeGreaterThan(161);
  for (const row of rows)
    for (const [, words = ''] of row.matchAll(/\bstewardctl ([^`]*?)(?=`| \\\| (?:xargs|stewardctl))/g)) {
      const [first = '', second = '', ...rest] = words.split(' ');
      const group = findCommand(program, first);
      const command = group.commands.length === 0 ? group : findCommand(group, second);
      const known = command.options.flatMap(({ long, short }) => [long, short]);
      const flags = [second, ...rest].filter((word) => /^--?[a-z]/i.test(word));
      expect([row, flags.filter((flag) => !known.includes(flag))]).toEqual([row, []]);
    }
});
