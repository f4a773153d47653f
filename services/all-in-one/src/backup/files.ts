import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline as connect, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { linesOf } from '@steward/kernel';
import type { FileSummary } from './manifest.ts';

/** For the owner only: backups contain password hashes and keys. */
export const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_DIRECTORY_MODE = 0o700;

/** The names of what a lock leaves in a directory. */
export const OF_LOCK = /^lock\.db(?:-journal)?$/;

/** The ending of the names of compressed files. */
const COMPRESSED = '.zst';

/** Writes values as NDJSON, compressed if the name of the file says so; the file is on the disk when this resolves. */
export async function writeLines(path: string, values: AsyncIterable<unknown>): Promise<void> {
  async function* lines() {
    for await (const value of values) yield `${JSON.stringify(value)}\n`;
  }
  const text = Readable.from(lines(), { objectMode: false });
  const file = createWriteStream(path, { mode: PRIVATE_FILE_MODE, flush: true });
  if (path.endsWith(COMPRESSED)) await pipeline(text, createZstdCompress(), file);
  else await pipeline(text, file);
}

/** Reads the values of a file that `writeLines` wrote. */
export async function* readLines<T>(path: string): AsyncGenerator<T> {
  const file = createReadStream(path);
  // An error of the file reaches the reader of the other stream.
  const input = path.endsWith(COMPRESSED) ? connect(file, createZstdDecompress(), () => {}) : file;
  for await (const line of linesOf(input)) yield JSON.parse(line) as T;
}

/** The size and the digest of a file. */
export async function summarize(path: string): Promise<FileSummary> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece);
    length += piece.length;
  }
  return { length, sha256: hash.digest('hex') };
}

/** Copies a file for its owner only; the copy is on the disk when this resolves. An existing file is replaced. */
export async function copyPrivateFile(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createWriteStream(to, { mode: PRIVATE_FILE_MODE, flush: true }));
}

/** Waits until the entries of a directory are on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}
