import type { ChainedEntry } from '@steward/audit/chain';
import { isObject } from '@steward/kernel';
import type { AuditEntry } from '../model/audit-entry.ts';

/** The form of an entry that is hashed: it covers fields that later releases add. */
export function chainedEntry({ _id, chain: _, ...fields }: AuditEntry): ChainedEntry {
  return wellFormed({ id: _id, ...fields }) as ChainedEntry;
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
