import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Random } from '@steward/kernel';
import { checkSchema } from '@steward/runtime';
import { Contents } from '../backup/contents.ts';
import { summarize } from '../backup/files.ts';
import { MANIFEST_FILE, type Manifest, readManifest } from '../backup/manifest.ts';
import { noProgress, type Progress } from '../command/progress.ts';

/** A backup that can be restored. */
export interface FoundBackup {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The bytes of media that it shares with others. */
  readonly contents: Contents;
}

/**
 * Finds a backup, and checks that this release can read it and that its files are those that were written.
 *
 * @param from the folder of a backup, or a directory of backups, of which the newest is taken
 * @throws Error with a message of one line when there is none, or it cannot be restored
 */
export async function findBackup(
  from: string,
  random: Random,
  progress: Progress = noProgress,
): Promise<FoundBackup> {
  const folder = resolve((await isBackup(from)) ? from : await newestIn(from));
  const manifest = await readManifest(folder);
  checkSchema(`The backup ${folder}`, manifest);
  await progress('the digests of the files', async () => {
    for (const [name, expected] of Object.entries(manifest.files)) {
      const path = join(folder, name);
      const found = await summarize(path).catch(() => undefined);
      if (found?.sha256 !== expected.sha256) throw new Error(`${path} is missing or damaged.`);
    }
  });
  return { folder, manifest, contents: new Contents(dirname(folder), random) };
}

async function newestIn(directory: string): Promise<string> {
  const names = await readdir(directory).catch(() => {
    throw new Error(`There is no directory ${directory}.`);
  });
  // The names are times, so that they sort by time.
  for (const name of names.sort().reverse()) {
    const folder = join(directory, name);
    if (await isBackup(folder)) return folder;
  }
  throw new Error(`There is no complete backup in ${directory}.`);
}

async function isBackup(folder: string): Promise<boolean> {
  return stat(join(folder, MANIFEST_FILE)).then(
    (found) => found.isFile(),
    () => false,
  );
}
