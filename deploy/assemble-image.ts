import { cpSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';
import { IMAGE } from './image.ts';

/** Copies the files of the image from a workspace to a folder. The packages are not installed there yet. */
export function assembleImage(workspace: string, folder: string): void {
  const filter = (source: string) => {
    const path = relative(workspace, source);
    return !IMAGE.excluded.some((pattern) => matchesGlob(path, pattern));
  };
  for (const path of IMAGE.included) {
    cpSync(join(workspace, path), join(folder, path), { recursive: true, filter });
  }
}
