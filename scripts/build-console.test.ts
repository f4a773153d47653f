import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildConsole, isConsoleBuilt } from './build-console.mjs';
import { root } from './workspace.mjs';

/** What a build reads, beside the sources of the console. */
const FILES = [
  'console/index.html',
  'console/package.json',
  'console/tsconfig.json',
  'console/vite.config.ts',
  'packages/sdk/package.json',
  'pnpm-lock.yaml',
  'scripts/build-console.mjs',
  'scripts/built-folder.mjs',
  'tsconfig.base.json',
];

let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'steward-console-build-'));
  for (const path of FILES) cpSync(join(root, path), join(base, path));
  for (const folder of ['console/src', 'packages/sdk/src'])
    mkdirSync(join(base, folder), { recursive: true });
  symlinkSync(join(root, 'console/node_modules'), join(base, 'console/node_modules'));
  write('console/src/main.tsx', `document.title = '${'steward '.repeat(200)}';`);
});

afterEach(() => rmSync(base, { recursive: true }));

const write = (path: string, text: string) => writeFileSync(join(base, path), text);
const read = (path: string) => readFileSync(join(base, 'console/dist', path));
const build = () => buildConsole({ base, node: process.execPath });
const assets = () => readdirSync(join(base, 'console/dist/assets')).sort();

it('a build has a page with places for the nonce, and each script in three forms', async () => {
  expect(isConsoleBuilt(base)).toBe(false);
  await build();
  expect(isConsoleBuilt(base)).toBe(true);
  const [script = '', ...compressed] = assets();
  expect(compressed).toEqual([`${script}.br`, `${script}.gz`]);
  expect(read('index.html').toString()).toMatch(
    new RegExp(`<script [^>]*src="/_service/console/assets/${RegExp.escape(script)}" nonce="__NONCE__"`),
  );
  expect(brotliDecompressSync(read(`assets/${script}.br`))).toEqual(read(`assets/${script}`));
  expect(gunzipSync(read(`assets/${script}.gz`))).toEqual(read(`assets/${script}`));
});

it('a build is repeated when its sources change, and a failed one leaves the former', async () => {
  await build();
  const former = assets();
  write('console/src/main.test.tsx', '');
  expect(isConsoleBuilt(base)).toBe(true);
  write('packages/sdk/src/mod.ts', 'export {};');
  expect(isConsoleBuilt(base)).toBe(false);
  write('console/src/main.tsx', "import './none.ts';");
  await expect(build()).rejects.toThrow('./none.ts');
  expect([assets(), isConsoleBuilt(base)]).toEqual([former, false]);
  write('console/src/main.tsx', "document.title = 'other';");
  await build();
  expect(isConsoleBuilt(base)).toBe(true);
  expect(assets().filter((file) => former.includes(file))).toEqual([]);
  expect(readdirSync(join(base, 'console')).filter((name) => name.startsWith('.'))).toEqual([]);
});
