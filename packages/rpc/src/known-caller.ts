import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Compares the credential of a caller with the internal one, in the same time for every input. The server believes the
 * headers of a caller that knows it, such as the client's address.
 */
export function knownCaller(credential: string): (sent: string | null | undefined) => boolean {
  const expected = digest(credential);
  return (sent) => typeof sent === 'string' && timingSafeEqual(digest(sent), expected);
}

/** A digest has the same length for every input, which the comparison requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
