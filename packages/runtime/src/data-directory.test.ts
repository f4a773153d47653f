import { createPrivateKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { auditSigningKey, prepareDataDirectory } from './data-directory.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'steward-data-'));
});
afterEach(() => rm(parent, { recursive: true }));

it('creates the directory with those above it, for its owner only, and leaves it empty', async () => {
  const path = join(parent, 'a', 'b');
  await prepareDataDirectory(path);
  await prepareDataDirectory(path);
  expect(await readdir(path)).toEqual([]);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
});

it('generates a key for the audit log once, for its owner only, also after an interrupted start', async () => {
  await writeFile(join(parent, 'audit_signing_key.pem'), '');
  const file = await auditSigningKey(parent);
  const pem = await readFile(file, 'utf8');
  expect(createPrivateKey(pem).asymmetricKeyType).toBe('ed25519');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await auditSigningKey(parent);
  expect(await readFile(file, 'utf8')).toBe(pem);
});

it('refuses a path through a file', async () => {
  await writeFile(join(parent, 'file'), '');
  const refusal = /cannot be used: a part of the path is a file \(ENOTDIR\)\. Set STEWARD_DATA/;
  await expect(prepareDataDirectory(join(parent, 'file'))).rejects.toThrow(refusal);
  await expect(prepareDataDirectory(join(parent, 'file', 'below'))).rejects.toThrow(refusal);
});

it.skipIf(!existsSync('/proc/self'))('refuses a directory in which not even root can write', async () => {
  await expect(prepareDataDirectory('/proc/self')).rejects.toThrow(/^The data directory \/proc\/self cannot/);
  await expect(prepareDataDirectory('/proc/self/data')).rejects.toThrow('/proc/self/data cannot be used');
});
