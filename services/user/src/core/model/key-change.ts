import { type Aggregate, declareAggregate } from '@steward/service';
import { declareCollection } from '@steward/store';

/** The last change of what the keys of a user show others. */
export interface KeyChange {
  /** See `keyChangeId`. */
  _id: string;
  user_id: string;
  /** The only user who sees the change; empty when all do. */
  viewer: string;
  /** Its position among the changes of all users. */
  position: number;
}

/** The order of all changes of keys: one document. */
export interface KeyChangeStream extends Aggregate {
  _id: string;
  /** The position of the last change. Once nothing is pending, all changes up to it have their positions. */
  version: number;
}

/** A change of keys that a request has begun to write, and that gets its position at the end. */
export interface KeyChangeIntent {
  /** Random. */
  _id: string;
  user_id: string;
  /** When the request has surely ended, in milliseconds since the Unix epoch. */
  due_ts: number;
}

/** The id of the only `KeyChangeStream`. */
export const KEY_CHANGES = 'keys';

/** The key of a change. User ids hold no space. */
export function keyChangeId(userId: string, viewer: string): string {
  return viewer === '' ? userId : `${userId} ${viewer}`;
}

/** The last change of keys of each user. */
export const keyChanges = declareCollection<KeyChange>({
  name: 'user.key_changes',
  shardKey: '_id',
  indexes: [
    {
      name: 'by_viewer',
      keys: [
        ['viewer', 1],
        ['position', 1],
      ],
    },
  ],
});

/** The order of changes of keys. */
export const keyChangeStreams = declareAggregate<KeyChangeStream>({
  name: 'user.key_change_streams',
  shardKey: '_id',
  indexes: [],
});

/** Changes of keys that have begun. */
export const keyChangeIntents = declareCollection<KeyChangeIntent>({
  name: 'user.key_change_intents',
  shardKey: '_id',
  indexes: [{ name: 'due', keys: [['due_ts', 1]] }],
});
