import { type Doc, declareCollection } from '@steward/store';

/** Why a report has no copy of its own: too many of its subject, or of the reports of its reporter, were new within a day. */
export type NoEvidence = 'reporter_limit' | 'subject_limit';

/** What a report says of its copy; nothing if what was reported was gone. */
export interface KeptEvidence {
  /** The key of the copy of what was reported. */
  readonly evidence?: string;
  /** Why there is none. */
  readonly no_evidence?: NoEvidence;
}

/** A copy of what was reported, as it was at the time of a report. Reports of the same state share it. */
export interface Evidence extends Doc {
  /** The digest of the subject and the content, see `keepEvidence`. */
  readonly _id: string;
  /** As in the case. */
  readonly subject: string;
  /** Whose report it was made for, for a medium its uploader; absent in copies that an earlier release made. */
  readonly reporter?: string;
  /** The size of the content; absent in those, too. */
  readonly bytes?: number;
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
    {
      name: 'of_reporter',
      keys: [
        ['reporter', 1],
        ['first_ts', 1],
      ],
    },
    { name: 'old', keys: [['last_ts', 1]] },
  ],
});
