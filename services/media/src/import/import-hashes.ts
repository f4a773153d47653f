import type { ImportedHash, ImportHashesRequest } from '@steward/proto/steward/media/v1/import_pb.ts';
import {
  type Checked,
  checkBatch,
  checked,
  type ImportProblem,
  insertedCount,
  isSafeNumber,
  type LoadedBatch,
} from '@steward/service';
import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import { said } from '../core/hashes/read-hash-file.ts';
import { toSha256 } from '../core/hashes/sha256.ts';
import {
  HASH_ACTIONS,
  type HashAction,
  type ListedHash,
  MAX_NOTE_LENGTH,
  MAX_SOURCE_LENGTH,
} from '../core/model/listed-hash.ts';
import { furtherOfHash } from '../core/records/further-fields.ts';

/** The longest name of who added a hash, in characters. */
const MAX_CALLER_LENGTH = 255;

/** Loads hashes of known-bad content, and skips existing ones. Not flushed, as in `importMedia`. */
export async function importHashes(
  { hashes: stored }: Pick<Deps, 'hashes'>,
  { hashes }: ImportHashesRequest,
): Promise<LoadedBatch> {
  checkBatch(hashes);
  const problems: ImportProblem[] = [];
  const documents = new Map<string, ListedHash>();
  for (const [index, record] of hashes.entries()) {
    const problem = problemOf(record);
    const read: Checked<ListedHash> = problem === undefined ? checked(() => toListed(record)) : { problem };
    if ('document' in read) documents.set(record.sha256, read.document);
    else problems.push({ index, problem: read.problem });
  }
  const loaded =
    documents.size === 0
      ? 0
      : await insertedCount(stored.insertMany([...documents.values()], { ...NOT_FLUSHED, ordered: false }));
  return { loaded, skipped: hashes.length - loaded - problems.length, problems };
}

function problemOf({
  sha256,
  action,
  source,
  note,
  addedTs,
  addedBy,
  lastMatchTs,
}: ImportedHash): string | undefined {
  if (toSha256(sha256) !== sha256) return 'sha256 is not a hash in lower-case hexadecimal';
  if (!HASH_ACTIONS.includes(action as HashAction)) return 'action is neither refuse nor quarantine';
  if ([...(source ?? '')].length > MAX_SOURCE_LENGTH) return 'source is too long';
  if ([...(note ?? '')].length > MAX_NOTE_LENGTH) return 'note is too long';
  if (addedBy.length > MAX_CALLER_LENGTH) return 'added_by is too long';
  if (!isSafeNumber(addedTs)) return 'added_ts is not a time';
  if (lastMatchTs !== undefined && !isSafeNumber(lastMatchTs)) return 'last_match_ts is not a time';
  return undefined;
}

function toListed(record: ImportedHash): ListedHash {
  return {
    _id: record.sha256,
    action: record.action as HashAction,
    open_report: record.openReport,
    source: said(record.source),
    note: said(record.note),
    added_ts: Number(record.addedTs),
    added_by: record.addedBy,
    last_match_ts: record.lastMatchTs === undefined ? null : Number(record.lastMatchTs),
    ...furtherOfHash.read(record.further),
  };
}
