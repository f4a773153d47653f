import { type Doc, declareCollection } from '@steward/store';

/** The block of a room, which need not exist (behaviour.md 10.8). */
export interface Block extends Doc {
  /** The room id. */
  readonly _id: string;
  /** The administrator who blocked it first. The room is blocked if it is present: it is removed when the block is lifted. */
  readonly user_id?: string;
  /** When it was blocked, in milliseconds since the Unix epoch, 0 by an earlier release; absent once the block is lifted. */
  readonly blocked_ts?: number;
  /** The change that the document of the room may not show yet; absent when it does. A lifted block is deleted then. */
  readonly unsettled?: string;
}

/** Blocked rooms, by room id. */
export const blocks = declareCollection<Block>({
  name: 'room.blocks',
  shardKey: '_id',
  indexes: [
    { name: 'time', keys: [['blocked_ts', 1]], sparse: true },
    {
      name: 'blocked_by',
      keys: [
        ['user_id', 1],
        ['blocked_ts', 1],
      ],
      sparse: true,
    },
    { name: 'unsettled', keys: [['unsettled', 1]], sparse: true },
  ],
});

/** Whether a document blocks its room. */
export const isBlocking = (block: Block | null): boolean => block?.user_id !== undefined;
