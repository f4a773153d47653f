import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DirectoryInUse, Unavailable } from '../port/errors.ts';

/** The code of SQLite for a file that another connection has locked. */
const BUSY = 5;

/** The locks that this process holds; the garbage collector would release one that is not referenced. */
const held = new Set<DatabaseSync>();

/**
 * Locks a data directory for this process, and creates it when it is missing. The operating system holds the lock, so
 * that it ends with the process, even when the process is killed.
 *
 * @returns a function that releases the directory
 * @throws DirectoryInUse when another process, or this one, holds the lock
 * @throws Unavailable when the directory cannot be locked for another reason, such as a full disk
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const lock = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode === BUSY) throw new DirectoryInUse(directory, { cause });
    const reason = (cause as Error).message;
    throw new Unavailable(`The directory ${directory} cannot be locked: ${reason}`, { cause });
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}
