import { readFileSync } from 'node:fs';
import type { Config } from '@steward/config';
import { StartupError } from '@steward/rpc';

/** Peppers of passwords that another server hashed, by name. */
export type Peppers = ReadonlyMap<string, Buffer>;

/**
 * Reads the files of `passwords.peppers`, without white space at their ends.
 *
 * @throws StartupError for a file that cannot be read or is empty
 */
export function readPeppers({ passwords }: Pick<Config, 'passwords'>): Peppers {
  return new Map(
    passwords.peppers.map(({ name, file }) => {
      const setting = `passwords.peppers (${name})`;
      let text: string;
      try {
        text = readFileSync(file, 'utf8').trimEnd();
      } catch (cause) {
        throw new StartupError(`${setting}: ${file} cannot be read: ${(cause as Error).message}`, { cause });
      }
      if (text === '') throw new StartupError(`${setting}: ${file} is empty`);
      return [name, Buffer.from(text)];
    }),
  );
}
