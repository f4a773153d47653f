import { createHash } from 'node:crypto';
import { canonicalJson } from '@steward/kernel';

/** The hash before the first entry of a chain. */
export const FIRST_HASH = '0'.repeat(64);

/** An entry as it is hashed and exported: all that is stored of it, except its place in the chain. */
export interface ChainedEntry {
  readonly id: string;
  readonly [field: string]: unknown;
}

/**
 * The hash of an entry at its place: SHA-256 over the canonical JSON (RFC 8785) of its number, the previous hash and the
 * entry, in hexadecimal.
 *
 * @throws NotCanonical for an entry that no server wrote: with a number that is not an integer, or nested too deep
 */
export function chainHash(number: number, previous: string, entry: ChainedEntry): string {
  return createHash('sha256').update(canonicalJson({ number, previous, entry })).digest('hex');
}
