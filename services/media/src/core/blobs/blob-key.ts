import type { Random } from '@steward/kernel';

/** Unique without coordination. Lower case only: some file systems do not tell letters of another case apart. */
const KEY_BYTES = 16;

/** What `newBlobKey` and `thumbnailKey` make. Nothing else comes near a file system. */
const BLOB_KEY = /^[0-9a-f]{32}(?:\.[0-9a-z-]{1,32})?$/;

/** A key that no other blob has. */
export function newBlobKey(random: Random): string {
  return random.bytes(KEY_BYTES).toString('hex');
}

/** The key of what was made from a blob; the same each time. */
export function derivedKey(blob: string, what: string): string {
  return `${blob}.${what}`;
}

/** The key of the blob that another was made from, or the key itself. */
export function originalKey(key: string): string {
  return key.split('.', 1)[0] as string;
}

/** @throws TypeError for anything that is no key */
export function checkBlobKey(key: string): void {
  if (!BLOB_KEY.test(key)) throw new TypeError(`${JSON.stringify(key)} is no key of a blob`);
}
