import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The storage on which commits become durable. */
export interface Disk {
  /** Resolves when every commit before the call is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The storage of a database in memory, which is never durable. */
export const NO_DISK: Disk = {
  sync: async () => {},
  close: async () => {},
};

/**
 * The write-ahead log of a database. SQLite appends each commit to it and would wait for the disk on the thread of its
 * caller; here a thread of libuv's pool waits. The log holds commits in order: when one is on the disk, all earlier ones
 * are there too, or in the database's file, to which a checkpoint moved them after it waited for the disk itself.
 */
export class LogDisk implements Disk {
  readonly #path: string;
  #log: Promise<FileHandle> | undefined;

  /** @param path the database's file */
  constructor(path: string) {
    this.#path = path;
  }

  async sync(): Promise<void> {
    this.#log ??= openLog(`${this.#path}-wal`);
    await (await this.#log).datasync();
  }

  async close(): Promise<void> {
    // The callers of `sync` received the error of a log that could not be opened.
    const log = await this.#log?.catch(() => undefined);
    await log?.close();
  }
}

/** Opens a log. It exists from the first commit until the last connection closes. */
async function openLog(path: string): Promise<FileHandle> {
  // A new file is durable only when the entry in its folder is.
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
  return open(path, 'r+');
}
