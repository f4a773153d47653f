import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@steward/config';
import type { Clock, Random } from '@steward/kernel';
import { markDeleting, openBlobs } from '@steward/media';
import { GENERATED_FILES, prepareDataDirectory, STORE_FILE, UNFINISHED_STORE_FILE } from '@steward/runtime';
import { lockDirectory, openSqliteStore } from '@steward/store';
import { copyPrivateFile, OF_LOCK, summarize, syncDirectory } from '../backup/files.ts';
import { noProgress, type Progress } from '../command/progress.ts';
import type { FoundBackup } from './find-backup.ts';
import { restoreMedia } from './restore-media.ts';

/** The endings of the names of the files that SQLite keeps beside an open one. */
const LOG_ENDINGS = ['-wal', '-shm', '-journal'] as const;

/**
 * Restores a backup into the data directory of the settings, which must be empty, or contain what an interrupted restore
 * left. The file of the documents gets its name at the very end; until then the server refuses to start there.
 *
 * @throws Error with a message of one line when the directory is not empty, or the backup is damaged
 */
export async function restoreEmbedded(
  backup: FoundBackup,
  config: Config,
  clock: Clock,
  random: Random,
  progress: Progress = noProgress,
): Promise<void> {
  const { data } = config.server;
  await prepareDataDirectory(data);
  const release = lockDirectory(data);
  try {
    const entries = (await readdir(data)).filter((name) => !OF_LOCK.test(name));
    const isInterrupted = entries.includes(UNFINISHED_STORE_FILE) && !entries.includes(STORE_FILE);
    if (entries.length > 0 && !isInterrupted) {
      throw new Error(`The data directory ${data} is not empty. Set STEWARD_DATA to another one.`);
    }
    const unfinished = join(data, UNFINISHED_STORE_FILE);
    // A log that a killed restore has left would be replayed on the new copy.
    for (const ending of LOG_ENDINGS) await rm(unfinished + ending, { force: true });
    // A new file, because an existing one, and one that the operating system copies, have other modes.
    await rm(unfinished, { force: true });
    const { sha256 } = await progress('the copy of the documents', async () => {
      await copyPrivateFile(join(backup.folder, STORE_FILE), unfinished);
      return summarize(unfinished);
    });
    if (sha256 !== backup.manifest.files[STORE_FILE]?.sha256) {
      throw new Error(`${unfinished} was not written as it is in the backup.`);
    }
    // Of an interrupted restore of another backup.
    for (const name of GENERATED_FILES) {
      await rm(join(data, name), { force: true });
      if (backup.manifest.files[name]) await copyPrivateFile(join(backup.folder, name), join(data, name));
    }
    const blobs = await openBlobs(config, undefined, random);
    const store = await openSqliteStore({ path: unfinished });
    try {
      await restoreMedia(backup, blobs, (deleted) => markDeleting(store, clock, deleted), progress);
    } finally {
      await store.close();
      await blobs.close();
    }
    await syncFile(unfinished);
    await rename(unfinished, join(data, STORE_FILE));
    await syncDirectory(data);
  } finally {
    release();
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}
