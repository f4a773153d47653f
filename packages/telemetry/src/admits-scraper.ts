import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether a request may read the metrics: the token that it sends as `Authorization: Bearer <token>` is the expected
 * one, or none is expected. The time of the comparison reveals nothing about the expected token.
 */
export function admitsScraper(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true;
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}

/** A digest has the same length for every input, so that the comparison takes constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
