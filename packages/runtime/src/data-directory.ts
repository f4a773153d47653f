import { generateKeyPairSync } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Random } from '@steward/kernel';

/** For the owner only: the secret in the file gives access to every account. */
const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_DIRECTORY_MODE = 0o700;

const SECRET_BYTES = 32;

/** The size of the file that is written to find out whether the directory can be written to: a block of a disk. */
const TRIAL_BYTES = 4_096;

/** Why a directory cannot be used, by the code of the operating system. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  ENOTDIR: 'a part of the path is a file',
};

/** The file of the generated registration secret, in the data directory. */
export const SECRET_FILE = 'registration_shared_secret';

/** The file of the generated key that signs checkpoints of the audit log, in the data directory. */
const AUDIT_KEY_FILE = 'audit_signing_key.pem';

/**
 * The file of what this server has signed, in the data directory. A backup does not contain it: the data directory of a restored
 * one begins a new record.
 */
const AUDIT_RECORD_FILE = 'audit_signing_record.json';

/** The files of what is generated in the data directory beside the store, which a backup contains. */
export const GENERATED_FILES = [SECRET_FILE, AUDIT_KEY_FILE] as const;

/**
 * Creates the data directory if necessary, and checks that it is usable by writing a file, because permissions alone do
 * not tell: root may write everywhere, except to a read-only or full file system.
 *
 * @throws Error with a message of one line when the directory cannot be created or written to
 */
export async function prepareDataDirectory(path: string): Promise<void> {
  try {
    await createDirectory(path);
    const trial = join(path, `.trial-${process.pid}`);
    try {
      await writeFile(trial, Buffer.alloc(TRIAL_BYTES), { mode: PRIVATE_FILE_MODE });
    } finally {
      await rm(trial, { force: true });
    }
  } catch (error) {
    const { code = '' } = error as { code?: string };
    const reason = REASONS[code] === undefined ? '' : `: ${REASONS[code]}`;
    throw new Error(
      `The data directory ${path} cannot be used${reason} (${code}). Set STEWARD_DATA to another one.`,
    );
  }
}

/** Creates a directory and those above it. `mkdir` with `recursive` never ends below `/proc`. */
async function createDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: PRIVATE_DIRECTORY_MODE });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT' && !(await exists(dirname(path)))) {
      await createDirectory(dirname(path));
      await mkdir(path, { mode: PRIVATE_DIRECTORY_MODE });
    } else if (!(await exists(path))) {
      throw error;
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found !== undefined,
    () => false,
  );
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
  await writePrivateFile(file, `${secret}\n`);
  return { secret, file };
}

/** The path of the key that signs checkpoints of the audit log, generated in the data directory at the first start. */
export async function auditSigningKey(path: string): Promise<string> {
  const file = join(path, AUDIT_KEY_FILE);
  if ((await readIfThere(file)) === '') {
    const { privateKey } = generateKeyPairSync('ed25519');
    await writePrivateFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  }
  return file;
}

/** The path of the record of what this server has signed. */
export function auditSigningRecord(path: string): string {
  return join(path, AUDIT_RECORD_FILE);
}

/**
 * Writes a file for the owner only. It is renamed when complete, so that a crash leaves no file with a part of a secret, and
 * is on the disk before anything depends on it.
 */
async function writePrivateFile(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, text, { mode: PRIVATE_FILE_MODE, flush: true });
  await rename(draft, file);
  const directory = await open(dirname(file));
  await directory.sync().finally(() => directory.close());
}

async function readIfThere(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return '';
    throw error;
  }
}
