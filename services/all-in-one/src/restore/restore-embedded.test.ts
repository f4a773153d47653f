import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@steward/config';
import { systemClock, systemRandom } from '@steward/kernel';
import { GENERATED_FILES, openEmbeddedStore, STORE_FILE, UNFINISHED_STORE_FILE } from '@steward/runtime';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { embeddedSource } from '../backup/embedded-source.ts';
import { MANIFEST_FILE } from '../backup/manifest.ts';
import { MEDIA_FILE, takeBackup } from '../backup/take-backup.ts';
import { findBackup } from './find-backup.ts';
import { restoreEmbedded } from './restore-embedded.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'steward-restore-'));
});
afterEach(() => rm(parent, { recursive: true }));

const configOf = (name: string) =>
  loadConfig({ env: { STEWARD_DATA: join(parent, name), STEWARD_SERVER_NAME: 'test' } });

/** Backs up a store without users. */
async function backUp({ secret }: { readonly secret?: string } = {}): Promise<string> {
  const config = configOf('data');
  await mkdir(config.server.data, { recursive: true });
  await (await openEmbeddedStore(config)).close();
  if (secret !== undefined)
    for (const name of GENERATED_FILES) await writeFile(join(config.server.data, name), secret);
  const source = await embeddedSource(config, systemClock, systemRandom);
  try {
    const all = { source, clock: systemClock, random: systemRandom, onProblem: expect.unreachable };
    return (await takeBackup({ ...all, directory: join(parent, 'backups') })).folder;
  } finally {
    await source.close();
  }
}

/** Replaces what a backup says about media, with the digest of it. */
async function forgeMedia(folder: string, lines: readonly unknown[]): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFile(join(folder, MEDIA_FILE), text);
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8'));
  const sha256 = createHash('sha256').update(text).digest('hex');
  manifest.files[MEDIA_FILE] = { length: text.length, sha256 };
  await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest));
}

const restore = async (folder: string, name = 'restored') =>
  restoreEmbedded(await findBackup(folder, systemRandom), configOf(name), systemClock, systemRandom);

it('reads no files outside of the contents', async () => {
  const folder = await backUp();
  const key = '0'.repeat(32);
  for (const sha256 of ['../../../../../../../../../../dev/zero', `${'0'.repeat(64)}/../x`]) {
    await forgeMedia(folder, [{ key, sha256, length: 1 }]);
    await expect(restore(folder)).rejects.toThrow(/media\.ndjson is damaged/);
  }
  await forgeMedia(folder, ['x']);
  await expect(restore(folder)).rejects.toThrow(/media\.ndjson is damaged/);
});

it('fails in order while deletions are completed', async () => {
  const folder = await backUp();
  const missing = { key: '0'.repeat(32), sha256: '0'.repeat(64), length: 1 };
  await forgeMedia(folder, [missing, ...Array.from({ length: 100 }, (_, n) => ({ deleted: `test ${n}` }))]);
  await expect(restore(folder)).rejects.toThrow('is missing in the backup');
});

it('restores what was generated beside the store', async () => {
  await restore(await backUp({ secret: 'generated' }));
  for (const name of GENERATED_FILES)
    expect(await readFile(join(parent, 'restored', name), 'utf8')).toBe('generated');
});

it('leaves no secret of another backup that it replaces', async () => {
  const folder = await backUp({ secret: 'of the first' });
  await forgeMedia(folder, ['x']);
  await expect(restore(folder)).rejects.toThrow('damaged');
  for (const name of GENERATED_FILES) await rm(join(parent, 'data', name));
  await restore(await backUp());
  expect((await readdir(join(parent, 'restored'))).sort()).toEqual(['lock.db', STORE_FILE]);
});

it('does not replace a store that was made beside an interrupted restore', async () => {
  const folder = await backUp();
  await writeFile(join(parent, 'data', UNFINISHED_STORE_FILE), '');
  await expect(restore(folder, 'data')).rejects.toThrow('is not empty');
});
