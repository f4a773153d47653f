import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@steward/kernel';
import type { BlobStore } from '@steward/media';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Source } from './source.ts';
import { takeBackup } from './take-backup.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'steward-backup-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** Begins a backup, whose copy of the documents fails. */
function failToBackUp() {
  const source: Source = {
    engine: 'sqlite',
    async copyDocuments(folder) {
      await writeFile(join(folder, 'steward.db'), 'a part');
      throw new Error('ENOSPC');
    },
    current: expect.unreachable,
    blobs: {} as BlobStore,
    close: async () => {},
  };
  const all = { source, directory, clock: systemClock, random: systemRandom, onProblem: expect.unreachable };
  return takeBackup(all);
}

it('leaves nothing of itself when it fails, nor of one that was killed', async () => {
  await mkdir(join(directory, '2026-01-02T03-04-05-678Z.unfinished'));
  await expect(failToBackUp()).rejects.toThrow('ENOSPC');
  expect((await readdir(directory)).sort()).toEqual(['lock.db', 'media']);
});

it('removes only what a backup has left', async () => {
  for (const name of ['alice.unfinished', 'steward.db.unfinished']) await mkdir(join(directory, name));
  await expect(failToBackUp()).rejects.toThrow('ENOSPC');
  expect(await readdir(directory)).toEqual(
    expect.arrayContaining(['alice.unfinished', 'steward.db.unfinished']),
  );
});
