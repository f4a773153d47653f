import { refuse } from '@steward/errors';

const SHA256 = /^[0-9a-f]{64}$/;

/** Returns a SHA-256 hash in its stored form; `undefined` if the text is none. */
export function toSha256(text: string): string | undefined {
  const hash = text.toLowerCase();
  return SHA256.test(hash) ? hash : undefined;
}

/**
 * Returns the hash of a path in its stored form.
 *
 * @throws refuse.notFound if it is not a hash, because the list has none such
 */
export function hashOfPath(text: string): string {
  const hash = toSha256(text);
  if (hash === undefined) throw refuse.notFound('This hash is not listed');
  return hash;
}
