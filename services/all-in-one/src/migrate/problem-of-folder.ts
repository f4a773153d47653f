import { readdirSync } from 'node:fs';

/** Why the folder of media cannot be read; undefined when it can. */
export function problemOfFolder(folder: string): string | undefined {
  try {
    readdirSync(folder);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const how = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    return `The folder of media ${folder} ${how}; without it no medium is served (media_store_path).`;
  }
}
