import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Clock, JsonObject, Random } from '@steward/kernel';
import { BlobMissing, exportedMedia, type Media, media, storedBytes, uriOf } from '@steward/media';
import { rooms } from '@steward/room';
import { readIdentity } from '@steward/runtime';
import { lockDirectory, type SortedDocuments, type StoredDocument } from '@steward/store';
import { accounts } from '@steward/user';
import { Contents } from '../backup/contents.ts';
import {
  OF_LOCK,
  PRIVATE_DIRECTORY_MODE,
  PRIVATE_FILE_MODE,
  summarize,
  syncDirectory,
  writeLines,
} from '../backup/files.ts';
import { counted, noProgress, type Progress } from '../command/progress.ts';
import { EXPORT_FORMAT, EXPORT_MANIFEST, type ExportManifest } from '../import/manifest.ts';
import { RECORD_FORMATS } from '../import/record-formats.ts';
import { keptAbout } from './kept-about.ts';
import type { Stored } from './open-stored.ts';
import { RECORDS, type Selection, shownIn } from './records.ts';

/** The ending of the name of a directory that is not complete yet. */
const UNFINISHED = '.unfinished';

/** The names of the files that an import reads, in the order in which it does. */
const KINDS: ReadonlySet<string> = new Set(RECORD_FORMATS.map(({ kind }) => kind));

/** The name of the file that no import reads. */
const OTHER = 'other';

/** What the operating system answers when a directory that is to be replaced is not empty. */
const NOT_EMPTY: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST']);

/** The parameters of an export. */
export interface ExportOptions extends Selection {
  /** A directory that is empty or does not exist; it appears when it is complete. */
  readonly directory: string;
  readonly random: Random;
  readonly clock: Clock;
  /** Opens what the server stores; `spool` is a file for its use, which is removed. */
  readonly open: (spool: string) => Promise<Stored>;
  /** Called for every medium whose bytes are missing. */
  readonly onProblem: (problem: string) => void;
  /** Shows how far parts of it are that take long. */
  readonly progress?: Progress;
}

/**
 * Exports a server, or what it keeps about one user or one room, as files that the import reads.
 *
 * @returns the number of records by file
 * @throws Error with a message of one line when the directory is not empty, or there is no such user or room
 * @throws DirectoryInUse when another export into the directory is running
 */
export async function exportServer(options: ExportOptions): Promise<ReadonlyMap<string, number>> {
  const directory = await usableDirectory(options.directory);
  const unfinished = directory + UNFINISHED;
  await mkdir(unfinished, { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
  const release = lockDirectory(unfinished);
  try {
    for (const name of await readdir(unfinished)) {
      if (!OF_LOCK.test(name)) await rm(join(unfinished, name), { recursive: true });
    }
    const counts = await writeFiles(unfinished, options);
    await rename(unfinished, directory).catch((cause: NodeJS.ErrnoException) => {
      throw NOT_EMPTY.has(cause.code) ? notEmpty(directory, { cause }) : cause;
    });
    release();
    for (const name of await readdir(directory)) if (OF_LOCK.test(name)) await rm(join(directory, name));
    return counts;
  } catch (error) {
    // It may contain a copy of all documents.
    await rm(unfinished, { recursive: true, force: true });
    release();
    throw error;
  }
}

/** The path of a directory, without symbolic links, in which nothing is overwritten. */
async function usableDirectory(given: string): Promise<string> {
  const path = resolve(given);
  try {
    if ((await readdir(path)).length > 0) throw notEmpty(path);
    return await realpath(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return path;
    throw code === undefined
      ? error
      : new Error(`The directory ${path} cannot be used: ${message}`, { cause: error });
  }
}

function notEmpty(directory: string, options?: ErrorOptions): Error {
  return new Error(`The directory ${directory} is not empty.`, options);
}

async function writeFiles(
  folder: string,
  { user, room, random, clock, onProblem, open, progress = noProgress }: ExportOptions,
): Promise<ReadonlyMap<string, number>> {
  const spool = join(folder, 'spool.db');
  const exportedTs = clock.now();
  const stored = await open(spool);
  try {
    const { documents } = stored;
    if (user !== undefined && !documents.find(accounts.name, user)) {
      throw new Error(`There is no account ${user}.`);
    }
    if (room !== undefined && !documents.find(rooms.name, room)) {
      throw new Error(`There is no room ${room}.`);
    }
    const { server_name } = await readIdentity((collection) => storedIn(documents, collection));
    const counts = new Map<string, number>();
    const files = new Map<string, ExportManifest['files'][number]>();
    const write = async (name: string, records: Iterable<JsonObject> | AsyncIterable<JsonObject>) => {
      let count = 0;
      const file = `${name}.ndjson`;
      await progress(file, (step) => {
        const add = () => {
          count++;
          step.add();
        };
        return writeLines(join(folder, file), counted(records, { ...step, add }));
      });
      counts.set(name, count);
      const kind = KINDS.has(name) ? name : null;
      files.set(name, { name: file, kind, records: count, ...(await summarize(join(folder, file))) });
    };
    for (const [name, recordsOf] of RECORDS) await write(name, recordsOf(documents, { user, room }));
    const contents = new Contents(folder, random);
    await contents.open();
    await write('media', mediaOf(stored, { user, room }, contents, onProblem));
    await contents.close();
    if (user !== undefined) await write(OTHER, keptAbout(documents, user));
    const manifest: ExportManifest = {
      format: EXPORT_FORMAT,
      server_name,
      user: user ?? null,
      room: room ?? null,
      exported_ts: exportedTs,
      files: [...KINDS, OTHER].flatMap((name) => files.get(name) ?? []),
    };
    await writeFile(join(folder, EXPORT_MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: PRIVATE_FILE_MODE,
      flush: true,
    });
    await syncDirectory(folder);
    return counts;
  } finally {
    await stored.close();
    await rm(spool, { force: true });
  }
}

async function* storedIn(documents: SortedDocuments, collection: string): AsyncGenerator<StoredDocument> {
  for (const document of documents.sorted(collection, [])) yield { collection, document };
}

async function* mediaOf(
  stored: Stored,
  { user, room }: Selection,
  contents: Contents,
  onProblem: (problem: string) => void,
): AsyncGenerator<JsonObject> {
  const shown = room === undefined ? undefined : shownIn(stored.documents, room);
  for (const document of stored.documents.sorted(media.name, [])) {
    const medium = document as Media;
    if (medium.state === 'deleting' || (user !== undefined && medium.user_id !== user)) continue;
    if (shown && !shown.has(uriOf(medium))) continue;
    if (medium.blob === null) {
      yield exportedMedia(medium, undefined);
      continue;
    }
    try {
      const { sha256 } = await contents.add(storedBytes(medium, stored));
      yield exportedMedia(medium, contents.nameOf(sha256));
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      const now = (await stored.current(media.name, medium._id)) as Media | undefined;
      // Deleted since.
      if (!now || now.state === 'deleting') continue;
      onProblem(`the bytes of ${medium._id} are missing`);
      yield exportedMedia(medium, undefined);
    }
  }
}
