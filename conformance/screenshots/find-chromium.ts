import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The program of Chromium: the one that `CHROMIUM` names, else `chromium` in `PATH`; undefined if there is none. */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { CHROMIUM: named, PATH: path = '' } = env;
  const candidates = named ? [named] : path.split(delimiter).map((folder) => join(folder, 'chromium'));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
