import type { Random } from '@steward/kernel';

/** Unique without coordination. Lower case only, because some file systems ignore case. */
const KEY_BYTES = 16;

/** The form of all keys. No other text is used as a file name. */
const BLOB_KEY = /^[0-9a-f]{32}(?:\.[0-9a-z-]{1,32})?$/;

/** Returns a key that no other blob has. */
export function newBlobKey(random: Random): string {
  return random.bytes(KEY_BYTES).toString('hex');
}

/** Returns the key of a blob that is derived from another; the same each time. */
export function derivedKey(blob: string, what: string): string {
  return `${blob}.${what}`;
}

/** Returns the key of the blob from which another is derived, or the key itself. */
export function originalKey(key: string): string {
  return key.split('.', 1)[0] as string;
}

/** @throws TypeError for an invalid key */
export function checkBlobKey(key: string): void {
  if (!BLOB_KEY.test(key)) throw new TypeError(`${JSON.stringify(key)} is not a key of a blob`);
}
