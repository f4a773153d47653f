import { readFileSync } from 'node:fs';
import type { Config } from '@steward/config';

/**
 * The name that the settings have for the pepper of the old homeserver; undefined for no pepper.
 *
 * @throws Error with a message of one line when the settings do not have it
 */
export function findPepper(config: Config, pepper: string): string | undefined {
  if (pepper === '') return undefined;
  const known = config.passwords.peppers.find(
    ({ file }) => readFileSync(file, 'utf8').trimEnd() === pepper.trimEnd(),
  );
  if (!known)
    throw new Error(
      'The old homeserver has a pepper (password_config.pepper), and no file of passwords.peppers in the settings contains it: with another one no password would be accepted. Write it to a file, and name that in the settings: passwords: {peppers: [{name: old, file: /etc/steward/pepper}]}.',
    );
  return known.name;
}
