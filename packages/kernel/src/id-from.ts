import { createHash } from 'node:crypto';
import { idOf } from './random.ts';

/** The SHA-256 digest of the JSON text of some parts: the same in every process, and different unless all parts are the same. */
export function digestOf(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** An id that follows from some parts, so that what is repeated has the id that it had, see `digestOf`. */
export function idFrom(parts: readonly unknown[]): string {
  return idOf(digestOf(parts));
}
