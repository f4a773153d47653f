import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildProgram, isProgramBuilt } from './build-program.mjs';

/** A workspace whose one command loads a file through its own URL, a thread, and a package that stays apart. */
const FILES = {
  'deploy/commands.ts': "export const COMMANDS = { greet: { source: 'services/greet/src/main.ts' } };\n",
  'gateway/src/bodies/body-thread.ts': 'const answer: number = 42;\nexport { answer };\n',
  'gateway/src/bodies/read.ts':
    "export const thread = new URL('./body-thread.ts', import.meta.url);\nexport const self = import.meta.url;\n",
  'packages/store/src/sqlite/engine/reader-thread.ts': 'export {};\n',
  'services/greet/greeting.txt': 'hello',
  'services/greet/src/main.ts': `import { readFileSync } from 'node:fs';
import where from 'piscina';
import { self, thread } from '../../../gateway/src/bodies/read.ts';
const greeting: string = readFileSync(new URL('../greeting.txt', import.meta.url), 'utf8');
const { answer } = await import(thread.href);
console.log(greeting, answer, where, self.split('/').slice(-2).join('/'), process.argv[2]);
`,
  'node_modules/piscina/package.json': '{ "name": "piscina", "type": "module", "exports": "./here.js" }',
  'node_modules/piscina/here.js': "export default import.meta.url.split('/').slice(-3).join('/');",
  'proto/gen/empty.ts': 'export {};\n',
  'pnpm-lock.yaml': '',
  'scripts/build-program.mjs': '',
  'scripts/built-folder.mjs': '',
};

let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'steward-program-build-'));
  for (const [path, text] of Object.entries(FILES)) write(path, text);
});

afterEach(() => rmSync(base, { recursive: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

const run = () =>
  execFileSync(process.execPath, [join(base, 'dist/greet.js'), 'there'], { encoding: 'utf8' }).trim();

it('a program finds its files, its threads and the packages with files of their own', async () => {
  await buildProgram(base);
  expect(run()).toBe('hello 42 node_modules/piscina/here.js bodies/read.ts there');
});

it('a build is repeated when its sources change, and a failed one leaves the former', async () => {
  expect(isProgramBuilt(base)).toBe(false);
  await buildProgram(base);
  expect(isProgramBuilt(base)).toBe(true);
  write('services/greet/src/main.test.ts', '');
  expect(isProgramBuilt(base)).toBe(true);
  write('services/greet/src/main.ts', "import './none.ts';");
  expect(isProgramBuilt(base)).toBe(false);
  await expect(buildProgram(base)).rejects.toThrow('./none.ts');
  expect(run()).toContain('hello');
  write('services/greet/src/main.ts', "console.log('other');");
  await buildProgram(base);
  expect([run(), isProgramBuilt(base)]).toEqual(['other', true]);
  expect(readdirSync(base).filter((name) => name.startsWith('.'))).toEqual([]);
});
