import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Where commits become durable. */
export interface Disk {
  /** Resolves when every commit that was made before the call is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** No disk: what is in memory is as durable as it gets. */
export const NO_DISK: Disk = {
  sync: async () => {},
  close: async () => {},
};

/**
 * The write-ahead log of a database. SQLite appends each commit to it, and would wait for the disk on the
 * thread of its caller; here a thread of the platform's pool does. A log holds its commits in order: one that is
 * on the disk has all those before it there, too, or in the database's file, where a checkpoint moved them after
 * waiting for the disk itself.
 */
export class LogDisk implements Disk {
  readonly #path: string;
  #log: Promise<FileHandle> | undefined;

  /** @param path of the database's file */
  constructor(path: string) {
    this.#path = path;
  }

  async sync(): Promise<void> {
    this.#log ??= openLog(`${this.#path}-wal`);
    await (await this.#log).datasync();
  }

  async close(): Promise<void> {
    // Whoever waited for a log that could not be opened was told.
    const log = await this.#log?.catch(() => undefined);
    await log?.close();
  }
}

/** Opens a log, which is there since the first commit and as long as somebody has the database open. */
async function openLog(path: string): Promise<FileHandle> {
  // A new file lasts only when the folder that names it does.
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
  return open(path, 'r+');
}
