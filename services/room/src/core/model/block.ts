import { type Doc, declareCollection } from '@steward/store';

/** A blocked room, which need not exist (behaviour.md 10.8). */
export interface Block extends Doc {
  /** The room id. */
  readonly _id: string;
  /** The administrator who blocked it first. */
  readonly user_id: string;
}

/** Blocked rooms, by room id. */
export const blocks = declareCollection<Block>({ name: 'room.blocks', shardKey: '_id', indexes: [] });
