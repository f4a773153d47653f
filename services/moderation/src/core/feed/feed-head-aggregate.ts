import { defineAggregate } from '@steward/service';
import { Conflict, NOT_FLUSHED } from '@steward/store';
import { FEED_ID, type FeedHead, type PositionEffect } from '../model/feed-head.ts';
import type { FeedDeps } from './feed-deps.ts';

/** The feed: its commit decides which events have which positions; its effects write them to the events. */
export const feedHeadAggregate = defineAggregate<FeedHead, PositionEffect, FeedDeps>({
  collection: (deps) => deps.feedHeads,
  effects: {
    async position({ feedEvents }, _, effects) {
      await feedEvents.bulkWrite(
        effects.map(({ event, position }) => ({
          updateOne: { filter: { _id: event }, update: { $set: { position } } },
        })),
        { ...NOT_FLUSHED, ordered: false },
      );
    },
  },
});

/** The end of the feed. All events up to its last position are stored with their positions. */
export async function loadHead(deps: FeedDeps): Promise<FeedHead> {
  const load = () => feedHeadAggregate.load(deps, FEED_ID);
  const head = await load();
  if (head) return head;
  try {
    await feedHeadAggregate.create(deps, { _id: FEED_ID, version: 0, last: 0, cut: 0 });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
  const created = await load();
  if (!created) throw new Error('The end of the feed was removed');
  return created;
}
