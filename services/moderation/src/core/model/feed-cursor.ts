import { type Doc, declareCollection } from '@steward/store';

/** How far something has gone through the feed. */
export interface FeedCursor extends Doc {
  /** What goes through it. */
  readonly _id: string;
  /** The position up to which it has gone. */
  readonly position: number;
}

/** The places in the feed of what passes its events on. */
export const feedCursors = declareCollection<FeedCursor>({
  name: 'moderation.feed_cursors',
  shardKey: null,
  indexes: [],
});
