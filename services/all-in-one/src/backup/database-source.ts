import { join } from 'node:path';
import type { Config } from '@steward/config';
import { type CopiedMessage, openStreamCopy, type StreamCopy } from '@steward/events';
import { type Clock, closeAll, type Random } from '@steward/kernel';
import { openBlobs } from '@steward/media';
import { brokerAccess, databaseAccess, refuseUnfinished } from '@steward/runtime';
import { openMongoSnapshot, openMongoStore, type StoredDocument } from '@steward/store';
import { counted, noProgress } from '../command/progress.ts';
import { FactsBefore } from './facts-before.ts';
import { readLines, writeLines } from './files.ts';
import type { Source } from './source.ts';

/** The files of the documents, of the facts that consumers may not have handled, and of the dead letters. */
export const DOCUMENTS_FILE = 'documents.ndjson.zst';
export const FACTS_FILE = 'facts.ndjson';
export const DEAD_LETTERS_FILE = 'dead_letters.ndjson';

/**
 * The server as several processes, on a database and a broker. They may be running.
 *
 * @throws Error with a message of one line when an engine cannot be used, or a restore has not been completed
 */
export async function databaseSource(config: Config, clock: Clock, random: Random): Promise<Source> {
  const access = databaseAccess(config);
  const opened: (() => Promise<void>)[] = [];
  const close = () => closeAll(opened.splice(0).reverse());
  try {
    const streams = await openStreams(config);
    opened.push(() => streams.close());
    const store = await openMongoStore(access);
    opened.push(() => store.close());
    await refuseUnfinished(store, access.url);
    const blobs = await openBlobs(config, store, random);
    opened.push(() => blobs.close());
    const snapshot = await openMongoSnapshot(access);
    opened.push(() => snapshot.close());
    return {
      engine: 'mongodb',
      async copyDocuments(folder, progress = noProgress) {
        const before = await streams.position();
        const after_ts = clock.now();
        const documents = snapshot.documents()[Symbol.asyncIterator]();
        // The moment of the documents has passed when the first one is there.
        const first = await documents.next();
        const before_ts = clock.now();
        const after = await streams.position();
        const facts = await FactsBefore.read(streams.facts(before.last + 1, after.last));
        const counts = new Map<string, number>();
        async function* seen(): AsyncGenerator<StoredDocument> {
          for (let next = first; !next.done; next = await documents.next()) {
            const { collection } = next.value;
            counts.set(collection, (counts.get(collection) ?? 0) + 1);
            facts.see(next.value);
            yield next.value;
          }
        }
        const path = join(folder, DOCUMENTS_FILE);
        await progress('documents', (step) => writeLines(path, counted(seen(), step)));
        async function* unhandled(): AsyncGenerator<CopiedMessage> {
          yield* streams.facts(before.unhandled, before.last);
          yield* facts.selected();
        }
        await writeLines(join(folder, FACTS_FILE), unhandled());
        await writeLines(join(folder, DEAD_LETTERS_FILE), streams.deadLetters());
        return {
          cut: { after_ts, before_ts },
          counts,
          files: [DOCUMENTS_FILE, FACTS_FILE, DEAD_LETTERS_FILE],
          async *read(collection) {
            for await (const stored of readLines<StoredDocument>(path)) {
              if (stored.collection === collection) yield stored;
            }
          },
        };
      },
      current: (collection, id) => snapshot.current(collection, id),
      blobs,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws Error with a message of one line when the settings name no broker, or it cannot be reached */
export async function openStreams(config: Config): Promise<StreamCopy> {
  const broker = brokerAccess(config);
  if (broker === undefined) {
    throw new Error('Facts that are on their way are in the broker: set STEWARD_NATS_URL.');
  }
  return openStreamCopy({ broker, namespace: config.bus.namespace });
}
