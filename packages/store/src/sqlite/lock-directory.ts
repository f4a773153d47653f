import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DirectoryInUse } from '../errors.ts';

/** The locks that are held: one that nobody refers to would be collected as garbage, and let go. */
const held = new Set<DatabaseSync>();

/**
 * Takes a data directory for this process, creating it when it is missing. The operating system
 * holds the lock, so that it ends with the process, however that ends.
 *
 * @returns lets go of the directory
 * @throws DirectoryInUse when somebody else has it
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const lock = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new DirectoryInUse(directory, { cause });
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}
