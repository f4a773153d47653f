import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing. The option of Node that does so never ends in folders that the system makes, such as
 * `/proc`.
 *
 * @param mode of the folders that are made
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path), mode);
      await mkdir(path, { mode }).catch(unlessThere(path));
    } else await unlessThere(path)(error as NodeJS.ErrnoException);
  }
}

/** Another program may have made it. */
function unlessThere(path: string): (error: NodeJS.ErrnoException) => Promise<void> {
  return async (error) => {
    const isFolder = error.code === 'EEXIST' && (await stat(path)).isDirectory();
    if (!isFolder) throw error;
  };
}
