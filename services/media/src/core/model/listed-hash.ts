import { type Doc, declareCollection } from '@steward/store';

/** What happens to an upload of known-bad content. */
export const HASH_ACTIONS = ['refuse', 'quarantine'] as const;
export type HashAction = (typeof HASH_ACTIONS)[number];

/** What the list of known-bad content says of a hash. */
export interface HashValues {
  /** In lower-case hexadecimal. */
  readonly sha256: string;
  readonly action: HashAction;
  /** Whether an upload opens a report of its uploader. */
  readonly open_report: boolean;
  /** The list that it is from; null when that was not said. */
  readonly source: string | null;
  /** Why it is listed; null when that was not said. */
  readonly note: string | null;
}

/** A hash of known-bad content. */
export interface ListedHash extends Doc, Omit<HashValues, 'sha256'> {
  /** The SHA-256 hash, in lower-case hexadecimal. */
  readonly _id: string;
  /** In milliseconds since the Unix epoch. */
  readonly added_ts: number;
  /** As the audit log names callers. */
  readonly added_by: string;
  /** When an upload last matched it, in milliseconds since the Unix epoch; null if none did. */
  readonly last_match_ts: number | null;
  /** The last request to apply it to media that existed; absent if there was none. */
  readonly applied_by?: string;
}

/** The longest name of a source, in characters. */
export const MAX_SOURCE_LENGTH = 100;

/** The longest note, in characters. */
export const MAX_NOTE_LENGTH = 500;

/** The known-bad content, by hash. */
export const hashes = declareCollection<ListedHash>({
  name: 'media.hashes',
  whileLoading: [],
  shardKey: '_id',
  tally: 'action',
  indexes: [
    {
      name: 'action',
      keys: [
        ['action', 1],
        ['_id', 1],
      ],
    },
    {
      name: 'source',
      keys: [
        ['source', 1],
        ['_id', 1],
      ],
    },
    {
      name: 'source_and_action',
      keys: [
        ['source', 1],
        ['action', 1],
        ['_id', 1],
      ],
    },
    {
      name: 'applied',
      keys: [
        ['applied_by', 1],
        ['_id', 1],
      ],
      sparse: true,
    },
  ],
});
