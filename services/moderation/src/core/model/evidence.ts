import { type Doc, declareCollection } from '@steward/store';

/** A copy of what was reported, as it was at the time of a report. Reports of the same state share it. */
export interface Evidence extends Doc {
  /** The digest of the subject and the content, see `keepEvidence`. */
  readonly _id: string;
  /** As in the case. */
  readonly subject: string;
  /** What was reported: an object as JSON text. */
  readonly content: string;
  /** When the first and the last report of this state were received, in milliseconds since the Unix epoch. */
  readonly first_ts: number;
  readonly last_ts: number;
}

/** Copies of what was reported, by their digests. */
export const evidence = declareCollection<Evidence>({
  name: 'moderation.evidence',
  shardKey: '_id',
  indexes: [
    {
      name: 'of_subject',
      keys: [
        ['subject', 1],
        ['first_ts', 1],
        ['_id', 1],
      ],
    },
    { name: 'old', keys: [['last_ts', 1]] },
  ],
});
