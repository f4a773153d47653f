import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JsonObject, Random } from '@steward/kernel';
import { BlobMissing, exportedMedia, type Media, media } from '@steward/media';
import { accounts } from '@steward/user';
import { Contents } from '../backup/contents.ts';
import { PRIVATE_DIRECTORY_MODE, writeLines } from '../backup/files.ts';
import { keptAbout } from './kept-about.ts';
import type { Stored } from './open-stored.ts';
import { RECORDS } from './records.ts';

/** The ending of the name of a directory that is not complete yet. */
const UNFINISHED = '.unfinished';

/** The parameters of an export. */
export interface ExportOptions {
  /** A directory that is empty or does not exist; it appears when it is complete. */
  readonly directory: string;
  /** The user whose data are exported; unless given, those of the server. */
  readonly user?: string | undefined;
  readonly random: Random;
  /** Opens what the server stores; `spool` is a file for its use, which is removed. */
  readonly open: (spool: string) => Promise<Stored>;
  /** Called for every medium whose bytes are missing. */
  readonly onProblem: (problem: string) => void;
}

/**
 * Exports a server, or what it keeps about one user, as files that the import reads.
 *
 * @returns the number of records by file
 * @throws Error with a message of one line when the directory is not empty, or there is no such user
 */
export async function exportServer(options: ExportOptions): Promise<ReadonlyMap<string, number>> {
  const { user, random, onProblem } = options;
  const directory = resolve(options.directory);
  const present = await readdir(directory).catch(() => []);
  if (present.length > 0) throw new Error(`The directory ${directory} is not empty.`);
  const unfinished = directory + UNFINISHED;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
  const spool = join(unfinished, 'spool.db');
  const stored = await options.open(spool);
  try {
    const { documents } = stored;
    if (user !== undefined && !documents.find(accounts.name, user)) {
      throw new Error(`There is no account ${user}.`);
    }
    const counts = new Map<string, number>();
    const write = async (name: string, records: Iterable<JsonObject> | AsyncIterable<JsonObject>) => {
      let count = 0;
      async function* counted() {
        for await (const record of records) {
          count++;
          yield record;
        }
      }
      await writeLines(join(unfinished, `${name}.ndjson`), counted());
      counts.set(name, count);
    };
    for (const [name, recordsOf] of RECORDS) await write(name, recordsOf(documents, user));
    const contents = new Contents(unfinished, random);
    await contents.open();
    await write('media', mediaOf(stored, user, contents, onProblem));
    await contents.close();
    if (user !== undefined) await write('other', keptAbout(documents, user));
    await stored.close();
    await rm(spool, { force: true });
    await rm(directory, { recursive: true, force: true });
    await rename(unfinished, directory);
    return counts;
  } catch (error) {
    await stored.close();
    throw error;
  }
}

async function* mediaOf(
  { documents, blobs, current }: Stored,
  user: string | undefined,
  contents: Contents,
  onProblem: (problem: string) => void,
): AsyncGenerator<JsonObject> {
  for (const document of documents.sorted(media.name, [])) {
    const medium = document as Media;
    if (medium.state === 'deleting' || (user !== undefined && medium.user_id !== user)) continue;
    if (medium.blob === null) {
      yield exportedMedia(medium, undefined);
      continue;
    }
    try {
      const { sha256 } = await contents.add(blobs.open(medium.blob));
      yield exportedMedia(medium, contents.nameOf(sha256));
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      const now = (await current(media.name, medium._id)) as Media | undefined;
      // Deleted since.
      if (!now || now.state === 'deleting') continue;
      onProblem(`the bytes of ${medium._id} are missing`);
      yield exportedMedia(medium, undefined);
    }
  }
}
