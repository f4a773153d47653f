import { type Doc, declareCollection } from '@steward/store';

/** A room that was purged: clients that were away may still show it. */
export interface PurgedRoom extends Doc {
  /** The room id. */
  readonly _id: string;
  /** Milliseconds since the Unix epoch. */
  readonly purged_ts: number;
}

/** Purged rooms, by room id, for as long as a sync token lives. */
export const purgedRooms = declareCollection<PurgedRoom>({
  name: 'room.purged',
  shardKey: '_id',
  indexes: [{ name: 'purged', keys: [['purged_ts', 1]] }],
});
