import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type Doc, declareCollection } from '@steward/store';

/** An event of the feed, as it is stored. */
export interface StoredEvent extends Doc {
  /** The id of the event. */
  readonly _id: string;
  /** Absent until the event has its place in the feed; readers ignore it until then. */
  readonly position?: number;
  /** When it was stored, in milliseconds since the Unix epoch. */
  readonly stored_ts: number;
  readonly type: string;
  /** The scope without which a caller does not see it; unspecified for one that only callers with all scopes see. */
  readonly scope: Scope;
  /** When the change was made, in milliseconds since the Unix epoch. */
  readonly time: number;
  /** Empty when the server made the change, or a caller with the shared secret. */
  readonly actor: string;
  /** Empty without a request. */
  readonly request_id: string;
  /** Empty without a task. */
  readonly task_id: string;
  readonly targets: readonly string[];
  /** JSON: an object. */
  readonly data: string;
}

/** The events of the feed. */
export const feedEvents = declareCollection<StoredEvent>({
  name: 'moderation.feed_events',
  shardKey: '_id',
  arrays: ['targets'],
  indexes: [
    // The feed in its order, after the events without a position.
    { name: 'by_position', keys: [['position', 1]] },
    {
      name: 'by_type',
      keys: [
        ['type', 1],
        ['position', 1],
      ],
    },
    {
      name: 'by_scope',
      keys: [
        ['scope', 1],
        ['position', 1],
      ],
    },
    {
      name: 'by_actor',
      keys: [
        ['actor', 1],
        ['position', 1],
      ],
    },
    {
      name: 'by_target',
      keys: [
        ['targets', 1],
        ['position', 1],
      ],
    },
  ],
});
