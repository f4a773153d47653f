import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Random, randomId } from '@steward/kernel';
import { PRIVATE_DIRECTORY_MODE, PRIVATE_FILE_MODE, syncDirectory } from './files.ts';
import type { FileSummary } from './manifest.ts';

/** The folder of media, which the backups of a directory share. */
const DIRECTORY = 'media';

/** The folder of files that are not complete yet; the next backup removes what a crash left there. */
const UNFINISHED = 'unfinished';

/** The digits of a digest that name a folder, on two levels, so that folders stay small with millions of files. */
const SHARD_DIGITS = 2;

/**
 * The bytes of media in a directory of backups, in files that their SHA-256 digest names. So backups share the bytes that
 * they have in common. A file gets its name when it is complete and on the disk.
 */
export class Contents {
  readonly #directory: string;
  readonly #root: string;
  readonly #random: Random;
  /** The folders whose entries `close` makes durable. */
  readonly #changed = new Set<string>();

  constructor(directory: string, random: Random) {
    this.#directory = directory;
    this.#root = join(directory, DIRECTORY);
    this.#random = random;
  }

  /** Removes what a crash left, and creates the folders. Only one process at a time may add contents. */
  async open(): Promise<void> {
    const unfinished = join(this.#root, UNFINISHED);
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
  }

  /** The size of a content in bytes; `undefined` if it is missing. */
  async length(sha256: string): Promise<number | undefined> {
    return (await stat(this.#pathOf(sha256)).catch(() => undefined))?.size;
  }

  /** Stores the bytes of a source unless a file has them. */
  async add(source: AsyncIterable<Uint8Array>): Promise<FileSummary> {
    const unfinished = join(this.#root, UNFINISHED, randomId(this.#random));
    const hash = createHash('sha256');
    let length = 0;
    try {
      const file = await open(unfinished, 'wx', PRIVATE_FILE_MODE);
      try {
        for await (const piece of source) {
          hash.update(piece);
          length += piece.byteLength;
          await file.writeFile(piece);
        }
        await file.sync();
      } finally {
        await file.close();
      }
      const sha256 = hash.digest('hex');
      const path = this.#pathOf(sha256);
      await mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
      await rename(unfinished, path);
      for (const folder of [dirname(path), dirname(dirname(path))]) this.#changed.add(folder);
      return { length, sha256 };
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  /** Reads a content. */
  read(sha256: string): AsyncIterable<Uint8Array> {
    return createReadStream(this.#pathOf(sha256));
  }

  /** Waits until everything that was added is on the disk. */
  async close(): Promise<void> {
    for (const folder of this.#changed) await syncDirectory(folder);
    await rm(join(this.#root, UNFINISHED), { recursive: true, force: true });
    await syncDirectory(this.#root);
    await syncDirectory(dirname(this.#root));
  }

  /** The path of a content, relative to the directory. */
  nameOf(sha256: string): string {
    const shards = [sha256.slice(0, SHARD_DIGITS), sha256.slice(SHARD_DIGITS, 2 * SHARD_DIGITS)];
    return join(DIRECTORY, ...shards, sha256);
  }

  #pathOf(sha256: string): string {
    return join(this.#directory, this.nameOf(sha256));
  }
}
