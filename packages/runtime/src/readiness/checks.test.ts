import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@steward/config';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkDisk } from './checks.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steward-disk-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Whether the disk of a data directory passes. */
async function passes(data: string, minFreeBytes = 0): Promise<boolean> {
  const overrides = JSON.stringify({ media: { min_free_bytes: minFreeBytes } });
  const config = loadConfig({ env: { STEWARD_DATA: data, STEWARD_CONFIG_OVERRIDES: overrides } });
  return checkDisk(config).passes();
}

it('passes with enough space, also before the directory is made', async () => {
  expect(await passes(folder)).toBe(true);
  expect(await passes(join(folder, 'not', 'there'))).toBe(true);
});

it('fails without the space that uploads leave free, or a place for the directory', async () => {
  expect(await passes(folder, Number.MAX_SAFE_INTEGER)).toBe(false);
  await writeFile(join(folder, 'file'), '');
  await expect(passes(join(folder, 'file', 'data'))).rejects.toThrow('ENOTDIR');
});
