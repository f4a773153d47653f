import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { root } from './workspace.mjs';

/** What operators read. */
const DOCUMENTS = ['README.md', ...globSync('docs/*.md', { cwd: root })];

/** A block of code, or code within a sentence. */
const CODE = /^```sh\n([\s\S]*?)^```|`([^`]+)`/gm;

/** What a machine with an older Node has not, or has in another version; a word alone is not a command. */
const FOREIGN = /^(?:node|npx|corepack|pnpm)\s/;

const commands = DOCUMENTS.flatMap((document) =>
  [...readFileSync(join(root, document), 'utf8').matchAll(CODE)].flatMap(([, block, span = '']) =>
    (block?.split('\n') ?? [span.replaceAll(/\s+/g, ' ')]).map((command) => ({ document, command })),
  ),
);

it('every command of the documents for operators runs with the Node of the workspace, or in a container', () => {
  expect(commands.filter(({ command }) => FOREIGN.test(command))).toEqual([]);
});

it('every npm script that they name exists', () => {
  const scripts = commands.flatMap(({ document, command }) =>
    [...command.matchAll(/\bnpm (?:run (?:--silent )?|(?=start\b|test\b))([a-z][\w:-]*)/g)].map(
      ([, script = '']) => ({ document, script }),
    ),
  );
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter(({ script }) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
});
