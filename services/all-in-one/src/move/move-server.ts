import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '@steward/config';
import {
  type CopiedMessage,
  copiedDeadLetter,
  localDeadLetters,
  type StoredDeadLetter,
} from '@steward/events';
import { closeAll, type Random } from '@steward/kernel';
import { BlobMissing, type BlobStore, blobsOf, type Media, media, openBlobs } from '@steward/media';
import { databaseAccess, readIdentity, STORE_FILE } from '@steward/runtime';
import {
  loadDocuments,
  lockDirectory,
  openMongoStore,
  openSqliteSnapshot,
  type StoredDocument,
} from '@steward/store';
import { openStreams } from '../backup/database-source.ts';
import { counted, noProgress, type Progress } from '../command/progress.ts';
import { fillDatabase } from '../restore/fill-database.ts';

/** What was moved. */
export interface Moved {
  readonly documents: number;
  readonly blobs: number;
}

/**
 * Moves a server from a data directory to the database, the broker and the media storage of the settings, which must be
 * empty, or contain what an interrupted move left. The directory stays as it is, and no server may be running on it.
 * Media in files stay where they are if the settings name the same directory.
 *
 * @param onProblem called for every medium whose bytes are missing or damaged
 * @param progress shows how far parts of it are that take long
 * @throws Error with a message of one line when that is not possible
 */
export async function moveServer(
  from: string,
  config: Config,
  random: Random,
  onProblem: (problem: string) => void,
  progress: Progress = noProgress,
): Promise<Moved> {
  const opened: (() => unknown)[] = [];
  if (!existsSync(join(from, STORE_FILE))) throw new Error(`There is no embedded store in ${from}.`);
  try {
    opened.push(lockDirectory(from));
    const read = (...collections: string[]) => documentsIn(join(from, STORE_FILE), collections);
    const { server_name: name } = await readIdentity(read);
    if (name !== config.server.name) {
      throw new Error(`${from} is of the server ${name}, but STEWARD_SERVER_NAME is ${config.server.name}.`);
    }
    const streams = await openStreams(config);
    opened.push(() => streams.close());
    const store = await openMongoStore(databaseAccess(config));
    opened.push(() => store.close());
    const target = await openBlobs(config, store, random);
    opened.push(() => target.close());
    const staysInPlace = config.media.store === 'file' && resolve(config.server.data) === resolve(from);
    const moved = { documents: 0, blobs: 0 };
    await fillDatabase({ store, streams, random }, async () => {
      if (!staysInPlace) {
        const files = {
          server: { ...config.server, data: from },
          media: { ...config.media, store: 'file' as const, second_store: undefined },
        };
        const source = await openBlobs({ ...config, ...files }, undefined, random);
        await progress('media', async (step) => {
          for await (const { document } of counted(read(media.name), step)) {
            moved.blobs += await moveBlobs(document as Media, source, target, onProblem);
          }
        });
        await source.close();
      }
      moved.documents = await progress('documents', (step) =>
        loadDocuments(store, withoutDeadLetters(counted(read(), step))),
      );
      await streams.store(deadLettersOf(read(localDeadLetters.name)));
    });
    return moved;
  } finally {
    await closeAll(opened.reverse());
  }
}

async function* documentsIn(file: string, collections: readonly string[]): AsyncGenerator<StoredDocument> {
  const snapshot = openSqliteSnapshot(file);
  try {
    yield* snapshot.documents(collections.length > 0 ? collections : undefined);
  } finally {
    await snapshot.close();
  }
}

/** Without those that several processes have in the broker. */
async function* withoutDeadLetters(documents: AsyncIterable<StoredDocument>): AsyncGenerator<StoredDocument> {
  for await (const stored of documents) if (stored.collection !== localDeadLetters.name) yield stored;
}

async function* deadLettersOf(documents: AsyncIterable<StoredDocument>): AsyncGenerator<CopiedMessage> {
  for await (const { document } of documents) yield copiedDeadLetter(document as StoredDeadLetter);
}

/** Copies the bytes of a medium, except those that the target has; returns the number of copied blobs. */
async function moveBlobs(
  medium: Media,
  source: BlobStore,
  target: BlobStore,
  onProblem: (problem: string) => void,
): Promise<number> {
  let moved = 0;
  for (const { key, sha256 } of blobsOf(medium)) {
    // An interrupted move copied it; or it is in a bucket that the server has kept.
    if (await has(target, key)) continue;
    try {
      await target.delete(key);
      const stored = await target.put(key, source.open(key), Number.MAX_SAFE_INTEGER);
      moved++;
      if (sha256 !== undefined && stored.sha256 !== sha256)
        onProblem(`the bytes of ${medium._id} are damaged: their SHA-256 is not that of the upload`);
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      onProblem(`the bytes ${key} of ${medium._id} are missing`);
    }
  }
  return moved;
}

async function has(blobs: BlobStore, key: string): Promise<boolean> {
  try {
    for await (const _ of blobs.open(key)) break;
    return true;
  } catch (error) {
    if (error instanceof BlobMissing) return false;
    throw error;
  }
}
