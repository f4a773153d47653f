import { type Doc, declareCollection, type IndexDeclaration } from '@steward/store';

/** A request of an administrator, and its outcome. */
export interface AuditEntry extends Doc {
  /** Starts with the time, so that ids sort by time, see `entryId`. */
  readonly _id: string;
  /** When the request was made, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** Service and method: `user.deactivate`. */
  readonly action: string;
  /** The user to whom the token belongs; empty for a request with the shared secret. */
  readonly actor: string;
  /** The account that the token acted as, if it is another one; else null. */
  readonly acting_as: string | null;
  /** See `TokenKind`. */
  readonly token_kind: string;
  readonly device_id: string | null;
  readonly address: string;
  readonly request_id: string;
  /** The users, rooms or objects that the request concerns. */
  readonly targets: readonly string[];
  /** JSON, without secrets. */
  readonly request: string;
  readonly request_truncated: boolean;
  /** See `Outcome`. */
  readonly outcome: string;
  /** The HTTP status; null while the outcome is unknown, as are the others below. */
  readonly status: number | null;
  readonly errcode: string | null;
  readonly task_id: string | null;
  /** In milliseconds since the Unix epoch. */
  readonly ended_ts: number | null;
  /** How many refused attempts it stands for; absent for one. */
  readonly attempts?: number;
  /** Why it was made, in the words of the client; absent without a reason. */
  readonly reason?: string;
  /** The type of the event of the feed that it makes if it succeeds; absent for none. */
  readonly event_type?: string;
  /** The entry whose outcome this one adds, see `onAuditRecorded`; absent for all others. */
  readonly amends?: string;
  /** Its place in the hash chain: the only field that its hash does not cover. */
  readonly chain?: ChainPlace;
}

/** The place of an entry in the hash chain. */
export interface ChainPlace {
  /** When an entry without an outcome was stored, in milliseconds since the Unix epoch. */
  readonly received_ts?: number;
  /** Whether the entry no longer waits for its outcome, which would now become an entry of its own. */
  readonly sealed?: boolean;
  /** Absent until the entry is appended to the chain, as is the hash. Numbers start at 1. */
  readonly number?: number;
  readonly hash?: string;
}

/** The filters of the audit log that are selective in combination: each combination has an index, in the order of time. */
const AUDIT_FILTERS = [
  ['actor'],
  ['action'],
  ['outcome'],
  ['actor', 'action'],
  ['actor', 'outcome'],
  ['action', 'outcome'],
  ['actor', 'action', 'outcome'],
] as const;

/** The audit log, in the order of its ids. */
export const auditLog = declareCollection<AuditEntry>({
  name: 'moderation.audit_log',
  shardKey: '_id',
  arrays: ['targets'],
  indexes: [
    // The chain in its order, after the entries that are not appended yet.
    {
      name: 'by_number',
      keys: [
        ['chain.number', 1],
        ['_id', 1],
      ],
    },
    ...AUDIT_FILTERS.map(
      (paths): IndexDeclaration<AuditEntry> => ({
        name: `by_${paths.join('_')}`,
        keys: [...paths.map((path) => [path, 1] as const), ['_id', 1]],
      }),
    ),
    // A target has few entries, so the other filters are checked for each entry, within the index.
    {
      name: 'list_of_target',
      keys: [
        ['targets', 1],
        ['_id', 1],
        ['actor', 1],
        ['action', 1],
        ['outcome', 1],
      ],
    },
    // So has a request.
    {
      name: 'list_of_request',
      keys: [
        ['request_id', 1],
        ['_id', 1],
      ],
    },
  ],
});
