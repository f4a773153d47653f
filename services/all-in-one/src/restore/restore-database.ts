import { join } from 'node:path';
import type { Config } from '@steward/config';
import type { CopiedMessage } from '@steward/events';
import { type Clock, closeAll, type Random } from '@steward/kernel';
import { markDeleting, openBlobs } from '@steward/media';
import { databaseAccess } from '@steward/runtime';
import { loadDocuments, openMongoStore, type StoredDocument } from '@steward/store';
import { DEAD_LETTERS_FILE, DOCUMENTS_FILE, FACTS_FILE, openStreams } from '../backup/database-source.ts';
import { readLines } from '../backup/files.ts';
import { counted, noProgress, type Progress, type Step } from '../command/progress.ts';
import { fillDatabase } from './fill-database.ts';
import type { FoundBackup } from './find-backup.ts';
import { restoreMedia } from './restore-media.ts';

/**
 * Restores a backup into the database and the broker of the settings, which must be empty, or contain what an interrupted
 * restore left. The processes refuse to start on the database until everything is there.
 *
 * @throws Error with a message of one line when an engine cannot be used or is not empty, or the backup is damaged
 */
export async function restoreDatabase(
  backup: FoundBackup,
  config: Config,
  clock: Clock,
  random: Random,
  progress: Progress = noProgress,
): Promise<void> {
  const opened: (() => Promise<void>)[] = [];
  try {
    const streams = await openStreams(config);
    opened.push(() => streams.close());
    const store = await openMongoStore(databaseAccess(config));
    opened.push(() => store.close());
    const blobs = await openBlobs(config, store, random);
    opened.push(() => blobs.close());
    const file = (name: string) => join(backup.folder, name);
    await fillDatabase({ store, streams, random }, async () => {
      const load = (step: Step) =>
        loadDocuments(store, counted(readLines<StoredDocument>(file(DOCUMENTS_FILE)), step));
      const documents = Object.values(backup.manifest.documents).reduce((sum, count) => sum + count, 0);
      await progress('documents', load, documents);
      await restoreMedia(backup, blobs, (deleted) => markDeleting(store, clock, deleted), progress);
      await streams.store(readLines<CopiedMessage>(file(FACTS_FILE)));
      await streams.store(readLines<CopiedMessage>(file(DEAD_LETTERS_FILE)));
    });
  } finally {
    await closeAll(opened.reverse());
  }
}
