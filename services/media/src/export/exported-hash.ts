import type { JsonObject } from '@steward/kernel';
import type { ListedHash } from '../core/model/listed-hash.ts';
import { furtherOfHash } from '../core/records/further-fields.ts';

/** The record of a hash of known-bad content, as the import reads it. */
export function exportedHash(hash: ListedHash): JsonObject {
  const { _id: sha256, action, open_report, source, note, added_ts, added_by, last_match_ts } = hash;
  return {
    sha256,
    action,
    open_report,
    source,
    note,
    added_ts,
    added_by,
    last_match_ts,
    ...furtherOfHash.write(hash),
  };
}
