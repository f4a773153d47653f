import { createHash } from 'node:crypto';
import { canonicalJson, isObject } from '@steward/kernel';
import type { AuditEntry } from '../model/audit-entry.ts';

/** The hash before the first entry of a chain. */
export const FIRST_HASH = '0'.repeat(64);

/** An entry as it is hashed and exported: all that is stored of it, except its place in the chain. */
export interface ChainedEntry {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The form of an entry that is hashed: it covers fields that later releases add. */
export function chainedEntry({ _id, chain: _, ...fields }: AuditEntry): ChainedEntry {
  return wellFormed({ id: _id, ...fields }) as ChainedEntry;
}

/**
 * The hash of an entry at its place: SHA-256 over the canonical JSON (RFC 8785) of its number, the previous hash and the
 * entry, in hexadecimal.
 *
 * @throws NotCanonical for an entry that this server did not write: with a number that is no integer, or nested too deep
 */
export function chainHash(number: number, previous: string, entry: ChainedEntry): string {
  return createHash('sha256').update(canonicalJson({ number, previous, entry })).digest('hex');
}

/** Replaces halves of surrogate pairs, which canonical JSON cannot represent. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]),
  );
}
