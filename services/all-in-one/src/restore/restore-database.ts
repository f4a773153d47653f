import { join } from 'node:path';
import type { Config } from '@steward/config';
import type { CopiedMessage } from '@steward/events';
import { type Clock, closeAll, type Random } from '@steward/kernel';
import { markDeleting, openBlobs } from '@steward/media';
import { databaseAccess } from '@steward/runtime';
import { loadDocuments, openMongoStore } from '@steward/store';
import { DEAD_LETTERS_FILE, DOCUMENTS_FILE, FACTS_FILE, openStreams } from '../backup/database-source.ts';
import { readLines } from '../backup/files.ts';
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
      await loadDocuments(store, readLines(file(DOCUMENTS_FILE)));
      await restoreMedia(backup, blobs, (deleted) => markDeleting(store, clock, deleted));
      await streams.store(readLines<CopiedMessage>(file(FACTS_FILE)));
      await streams.store(readLines<CopiedMessage>(file(DEAD_LETTERS_FILE)));
    });
  } finally {
    await closeAll(opened.reverse());
  }
}
