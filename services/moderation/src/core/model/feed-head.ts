import { type Aggregate, declareAggregate, type PendingEffect } from '@steward/service';

/** The id of the only feed. */
export const FEED_ID = 'feed';

/** The end of the feed; each commit gives positions to some events. */
export interface FeedHead extends Aggregate {
  readonly _id: typeof FEED_ID;
  /** The last position; 0 before the first event. */
  readonly last: number;
  /** The position up to which events are past their retention; 0 for none. */
  readonly cut: number;
  /** How often positions were made durable for readers, see `createFlush`. */
  readonly flushes?: number;
}

/** An event that was given its position, to be written to the event. */
export interface PositionEffect extends PendingEffect {
  readonly kind: 'position';
  /** The id of the event. */
  readonly event: string;
  readonly position: number;
}

/** The feed, in one document. */
export const feedHeads = declareAggregate<FeedHead, 'flushes'>({
  name: 'moderation.feed_head',
  shardKey: null,
  indexes: [],
  unversioned: ['flushes'],
});
