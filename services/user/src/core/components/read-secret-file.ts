import { readFileSync } from 'node:fs';
import { StartupError } from '@steward/rpc';

/**
 * Reads a secret from a file that a setting names, without white space at its end.
 *
 * @param setting the name of the setting, for the error
 * @throws StartupError for a file that cannot be read or is empty
 */
export function readSecretFile(setting: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trimEnd();
  } catch (cause) {
    throw new StartupError(`${setting}: ${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (text === '') throw new StartupError(`${setting}: ${file} is empty`);
  return text;
}
