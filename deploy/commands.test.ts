import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

it('the table of commands is that of the program', () => {
  const table = readFileSync(join(root, 'docs/install.md'), 'utf8').matchAll(
    /^\| `([\w-]+)` \| (\w+s .*) \|$/gm,
  );
  const rows = [...table].map(([, name, summary]) => [name, summary]);
  expect(rows).toEqual(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]));
});

it('npm has a script for each command, except for the processes of a server of several', () => {
  const scripts = Object.entries(manifest.scripts).map(([name, script]) => [
    name,
    script.split('./steward ')[1],
  ]);
  const own = Object.entries(COMMANDS).filter(([name, { isProcess }]) => name === 'serve' || !isProcess);
  expect(
    scripts
      .filter(([name, command]) => name === command)
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(own.map(([name]) => name).toSorted());
});
