import type { Config } from '@steward/config';
import { readSecretFile } from './read-secret-file.ts';

/** Peppers of passwords that another server hashed, by name. */
export type Peppers = ReadonlyMap<string, Buffer>;

/**
 * Reads the files of `passwords.peppers`, without white space at their ends.
 *
 * @throws StartupError for a file that cannot be read or is empty
 */
export function readPeppers({ passwords }: Pick<Config, 'passwords'>): Peppers {
  return new Map(
    passwords.peppers.map(({ name, file }) => [
      name,
      Buffer.from(readSecretFile(`passwords.peppers (${name})`, file)),
    ]),
  );
}
