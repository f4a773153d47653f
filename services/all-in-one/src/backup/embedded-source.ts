import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@steward/config';
import type { Clock, Random } from '@steward/kernel';
import { openBlobs } from '@steward/media';
import { GENERATED_FILES, STORE_FILE } from '@steward/runtime';
import { copySqliteFile, openSqliteSnapshot } from '@steward/store';
import { noProgress } from '../command/progress.ts';
import { copyPrivateFile } from './files.ts';
import type { Source } from './source.ts';

/**
 * The server in one process, on a data directory. It may be running: nothing is written to its directory, and its lock is
 * not needed.
 *
 * @throws Error with a message of one line when there is no store
 */
export async function embeddedSource(config: Config, clock: Clock, random: Random): Promise<Source> {
  const file = join(config.server.data, STORE_FILE);
  if (!(await exists(file))) {
    throw new Error(`There is no store in ${config.server.data}. Set STEWARD_DATA to the data directory.`);
  }
  const blobs = await openBlobs(config, undefined, random);
  const now = openSqliteSnapshot(file);
  return {
    engine: 'sqlite',
    async copyDocuments(folder, progress = noProgress) {
      const copy = join(folder, STORE_FILE);
      const after = clock.now();
      const counts = await progress('pages of the documents', (step) => copySqliteFile(file, copy, step.set));
      const cut = { after_ts: after, before_ts: clock.now() };
      const files: string[] = [STORE_FILE];
      // Secrets of the settings belong to the settings; these were generated.
      for (const name of GENERATED_FILES) {
        const secret = join(config.server.data, name);
        if (!(await exists(secret))) continue;
        await copyPrivateFile(secret, join(folder, name));
        files.push(name);
      }
      return {
        cut,
        counts,
        files,
        async *read(collection) {
          const copied = openSqliteSnapshot(copy);
          try {
            yield* copied.documents([collection]);
          } finally {
            await copied.close();
          }
        },
      };
    },
    current: (collection, id) => now.current(collection, id),
    blobs,
    async close() {
      await now.close();
      await blobs.close();
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
