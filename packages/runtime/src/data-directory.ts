import { access, constants, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '@steward/kernel';

/** For the owner only: the secret in the file gives access to every account. */
const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_DIRECTORY_MODE = 0o700;

const SECRET_BYTES = 32;

/** The file of the generated registration secret, in the data directory. */
export const SECRET_FILE = 'registration_shared_secret';

/**
 * Creates the data directory if necessary, and checks that it is usable.
 *
 * @throws Error with a message of one line when the directory cannot be created or written to
 */
export async function prepareDataDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as { code?: string };
    throw new Error(`The data directory ${path} cannot be used (${code}). Set STEWARD_DATA to another one.`);
  }
}

/** The registration secret of the data directory, generated at the first start. */
export async function registrationSecret(
  path: string,
  random: Random,
): Promise<{ secret: string; file: string }> {
  const file = join(path, SECRET_FILE);
  const existing = await readIfThere(file);
  if (existing !== '') return { secret: existing, file };
  const secret = random.bytes(SECRET_BYTES).toString('base64url');
  // Renamed when complete, so that a crash leaves no file with a part of a secret.
  const draft = `${file}.new`;
  await writeFile(draft, `${secret}\n`, { mode: PRIVATE_FILE_MODE });
  await rename(draft, file);
  return { secret, file };
}

async function readIfThere(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return '';
    throw error;
  }
}
