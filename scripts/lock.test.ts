import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { acquireLock } from './lock.mjs';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'steward-lock-'));
  path = join(directory, 'lock');
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

it('a lock is held until it is released', async () => {
  const release = await acquireLock(path, vi.fn());
  expect(readFileSync(join(path, 'pid'), 'utf8')).toBe(String(process.pid));
  release();
  expect(readdirSync(directory)).toEqual([]);
});

it('a lock is waited for while its holder runs', async () => {
  const release = await acquireLock(path, vi.fn());
  const waiting = Promise.withResolvers<void>();
  const second = acquireLock(path, waiting.resolve);
  await waiting.promise;
  expect(existsSync(path)).toBe(true);
  release();
  (await second)();
  expect(readdirSync(directory)).toEqual([]);
});

it('a lock is taken over from a process that no longer runs', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  mkdirSync(path);
  writeFileSync(join(path, 'pid'), String(pid));
  const onWait = vi.fn();
  const release = await acquireLock(path, onWait);
  expect(onWait).not.toHaveBeenCalled();
  expect(readFileSync(join(path, 'pid'), 'utf8')).toBe(String(process.pid));
  release();
});
