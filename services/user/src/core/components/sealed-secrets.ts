import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Config } from '@steward/config';
import type { Random } from '@steward/kernel';
import { StartupError } from '@steward/rpc';
import { readSecretFile } from './read-secret-file.ts';

/** Encrypts secrets of accounts for the store, with AES-256-GCM. The account is authenticated, so that a copy for another one is void. */
export interface SealedSecrets {
  /** The form in which a secret is stored: encrypted with the first key, as it is without keys. */
  seal(userId: string, secret: string): string;
  /** The secret in a stored form, encrypted or not; undefined when no configured key opens it. */
  open(userId: string, stored: string): string | undefined;
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** What begins the stored form; secrets in base32 have no full stop. */
const PREFIX = 'v1.';

/** The length of the name of a key in a stored form, in characters. */
const NAME_CHARACTERS = 11;

interface Key {
  /** Tells which key a secret needs, and nothing about the key. */
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Reads the keys of `sessions.second_factor_key_files`.
 *
 * @param onUnopened called with the name of the key, or of the account, when a stored secret cannot be opened
 * @throws StartupError for a file that cannot be read or is not 32 bytes in base64
 */
export function openSealedSecrets(
  { sessions }: Pick<Config, 'sessions'>,
  random: Random,
  onUnopened: (message: string) => void,
): SealedSecrets {
  const keys = sessions.second_factor_key_files.map(readKey);
  const byName = new Map(keys.map((key) => [key.name, key]));
  const [first] = keys;
  return {
    seal: (userId, secret) => (first ? sealWith(first, random.bytes(IV_BYTES), userId, secret) : secret),
    open(userId, stored) {
      if (!stored.startsWith(PREFIX)) return stored;
      const [name = '', sealed = ''] = stored.slice(PREFIX.length).split('.');
      const key = byName.get(name);
      if (!key) {
        onUnopened(`the key ${name} is not among sessions.second_factor_key_files`);
        return undefined;
      }
      try {
        return openWith(key, userId, Buffer.from(sealed, 'base64url'));
      } catch {
        onUnopened(`the stored secret of ${userId} was changed, or is that of another account`);
        return undefined;
      }
    },
  };
}

function readKey(file: string): Key {
  const text = readSecretFile('sessions.second_factor_key_files', file);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== text)
    throw new StartupError(`sessions.second_factor_key_files: ${file} is not ${KEY_BYTES} bytes in base64`);
  const name = createHmac('sha256', bytes).update('name of the key').digest('base64url');
  return { name: name.slice(0, NAME_CHARACTERS), bytes };
}

function sealWith({ name, bytes }: Key, iv: Buffer, userId: string, secret: string): string {
  const cipher = createCipheriv(ALGORITHM, bytes, iv).setAAD(Buffer.from(userId));
  const parts = [iv, cipher.update(secret, 'utf8'), cipher.final()];
  return `${PREFIX}${name}.${Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64url')}`;
}

/** @throws Error when it is not what was sealed for the account */
function openWith({ bytes }: Key, userId: string, sealed: Buffer): string {
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(ALGORITHM, bytes, sealed.subarray(0, IV_BYTES), options)
    .setAAD(Buffer.from(userId))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}
