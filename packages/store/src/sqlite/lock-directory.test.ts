import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { DirectoryInUse } from '../port/errors.ts';
import { lockDirectory } from './lock-directory.ts';

const parent = mkdtempSync(join(tmpdir(), 'steward-lock-'));
afterAll(() => rmSync(parent, { recursive: true }));

it('a directory is locked once, and again after its release', () => {
  const directory = join(parent, 'fresh', 'data');
  const release = lockDirectory(directory);
  expect(() => lockDirectory(directory)).toThrow(DirectoryInUse);
  release();
  lockDirectory(directory)();
});

it('refuses a directory that another process has locked, until that process is killed', async () => {
  const directory = join(parent, 'shared');
  const other = fork(new URL('../fixtures/hold-directory.ts', import.meta.url), [directory]);
  await once(other, 'message');
  expect(() => lockDirectory(directory)).toThrow(/is using the directory/);
  other.kill('SIGKILL');
  await once(other, 'exit');
  lockDirectory(directory)();
});
