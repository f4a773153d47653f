import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Random } from '@steward/kernel';
import { media } from '@steward/media';
import { RELEASE, readIdentity } from '@steward/runtime';
import { lockDirectory } from '@steward/store';
import { counted, noProgress, type Progress, type Step } from '../command/progress.ts';
import { Contents } from './contents.ts';
import { copyMedia } from './copy-media.ts';
import { PRIVATE_DIRECTORY_MODE, PRIVATE_FILE_MODE, summarize, syncDirectory, writeLines } from './files.ts';
import { type FileSummary, FORMAT, MANIFEST_FILE, type Manifest } from './manifest.ts';
import type { Source } from './source.ts';

/** The file of a backup that says which bytes belong to which key, see `MediaLine`. */
export const MEDIA_FILE = 'media.ndjson';

/** The ending of the name of a folder that is not complete yet. */
const UNFINISHED = '.unfinished';

/** The names of such folders: a time. Others in the directory, such as an unfinished export, are not ours. */
const LEFT_BEHIND = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.unfinished$/;

/** A backup that has been made. */
export interface TakenBackup {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The bytes of media that no earlier backup of the directory had. */
  readonly copiedBytes: number;
}

/** The parameters of a backup. */
export interface BackupOptions {
  readonly source: Source;
  /** The directory of the backups, which share the bytes of media; created if missing. */
  readonly directory: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Called for every medium whose bytes are missing or damaged in the server. */
  readonly onProblem: (problem: string) => void;
  /** Shows how far parts of it are that take long. */
  readonly progress?: Progress;
}

/**
 * Backs up a server that may be running into a new folder of a directory. The documents are copied first, at one moment,
 * then the bytes that they name. The folder gets its name when everything is on the disk. A failed backup removes what is
 * there of it; after a crash the next one does.
 *
 * @throws DirectoryInUse when another backup into the directory is running
 */
export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  const { directory, clock, random } = options;
  await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
  const release = lockDirectory(directory);
  try {
    for (const name of await readdir(directory)) {
      if (LEFT_BEHIND.test(name)) await rm(join(directory, name), { recursive: true });
    }
    const contents = new Contents(directory, random);
    await contents.open();
    // Names that sort by time, without characters that file systems refuse.
    const name = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
    const unfinished = join(directory, name + UNFINISHED);
    await mkdir(unfinished, { mode: PRIVATE_DIRECTORY_MODE });
    try {
      const { manifest, copiedBytes } = await fillFolder(unfinished, contents, options);
      const folder = join(directory, name);
      await rename(unfinished, folder);
      await syncDirectory(directory);
      return { folder, manifest, copiedBytes };
    } catch (error) {
      // The disk may be full, and be that of the server.
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
  } finally {
    release();
  }
}

async function fillFolder(
  folder: string,
  contents: Contents,
  { source, clock, onProblem, progress: show = noProgress }: BackupOptions,
): Promise<Omit<TakenBackup, 'folder'>> {
  const copied = await source.copyDocuments(folder, show);
  const { schema, server_name } = await readIdentity((collection) => copied.read(collection));
  const progress = { blobs: 0, bytes: 0, copiedBytes: 0 };
  const copying = { source, contents, progress, onProblem };
  const copyAll = (step: Step) =>
    writeLines(join(folder, MEDIA_FILE), copyMedia(counted(copied.read(media.name), step), copying));
  await show('media', copyAll, copied.counts.get(media.name) ?? 0);
  await contents.close();
  const files: Record<string, FileSummary> = {};
  await show('the digests of the files', async () => {
    for (const file of [...copied.files, MEDIA_FILE]) files[file] = await summarize(join(folder, file));
  });
  const { blobs, bytes, copiedBytes } = progress;
  const manifest: Manifest = {
    format: FORMAT,
    release: RELEASE,
    schema,
    server_name,
    engine: source.engine,
    cut: copied.cut,
    completed_ts: clock.now(),
    documents: Object.fromEntries(copied.counts),
    media: { blobs, bytes },
    files,
  };
  await writeManifest(folder, manifest);
  return { manifest, copiedBytes };
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const file = await open(join(folder, MANIFEST_FILE), 'wx', PRIVATE_FILE_MODE);
  try {
    await file.writeFile(`${JSON.stringify(manifest, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncDirectory(folder);
}
