import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/**
 * The path of a file that a record names, without symbolic links. The file must be in the directory of the records:
 * a data set from elsewhere must not publish other files of this machine.
 *
 * @throws Error when the file is missing, or outside of the directory, also through `..` or a symbolic link
 */
export function fileWithin(directory: string, file: string): string {
  const path = resolve(directory, file);
  if (!contains(resolve(directory), path)) throw outside();
  const [realDirectory, realPath] = [realPathOf(directory), realPathOf(path)];
  if (!contains(realDirectory, realPath)) throw outside();
  return realPath;
}

function contains(directory: string, path: string): boolean {
  const inner = relative(directory, path);
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new Error('file is not there');
  }
}

function outside(): Error {
  return new Error('file is outside of the folder of the records');
}
