import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What other users of the machine may do with a file. */
const OTHERS = 0o077;

/** The permissions of a mode. */
const PERMISSIONS = 0o777;

/** The most files that one line names. */
const MAX_NAMED = 10;

/**
 * Takes the files directly in a directory away from other users of the machine, and those in its folders: links are passed over. The
 * directory itself keeps its mode.
 *
 * @param say receives a line if there were such files, or if one stays readable
 * @returns when the files are private; `folders` resolves when those in folders are, which can take long
 */
export async function makePrivate(
  directory: string,
  say: (line: string) => void,
): Promise<{ readonly folders: Promise<void> }> {
  const found = await takeAway(directory, '');
  tell(directory, found, say);
  const walk = async () => {
    const inside: Found = { taken: [], failed: [], folders: [] };
    for (const folders = [...found.folders]; folders.length > 0; ) {
      const { taken, failed, folders: deeper } = await takeAway(directory, folders.pop() ?? '');
      inside.taken.push(...taken);
      inside.failed.push(...failed);
      folders.push(...deeper);
    }
    tell(directory, inside, say);
  };
  return { folders: walk() };
}

/** Names of files, relative to the directory. */
interface Found {
  readonly taken: string[];
  readonly failed: string[];
  readonly folders: string[];
}

async function takeAway(directory: string, folder: string): Promise<Found> {
  const found: Found = { taken: [], failed: [], folders: [] };
  const entries = await readdir(join(directory, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.isSymbolicLink()) continue;
    const name = join(folder, entry.name);
    if (entry.isDirectory()) found.folders.push(name);
    try {
      const { mode } = await lstat(join(directory, name));
      if ((mode & OTHERS) === 0) continue;
      await chmod(join(directory, name), mode & PERMISSIONS & ~OTHERS);
      found.taken.push(name);
    } catch (error) {
      // Files of the server come and go.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') found.failed.push(name);
    }
  }
  return found;
}

function tell(directory: string, { taken, failed }: Found, say: (line: string) => void): void {
  if (taken.length > 0)
    say(`Other users of the machine could use files in ${directory}, and no longer can: ${named(taken)}`);
  if (failed.length > 0)
    say(
      `Other users of the machine can use files in ${directory}, whose modes this user may not change: ${named(failed)}`,
    );
}

function named(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
