import { type Doc, declareCollection } from '@steward/store';

/** An alias of a room. It stands for nothing while the room does not exist. */
export interface Alias extends Doc {
  /** The alias. */
  readonly _id: string;
  readonly room_id: string;
  /** Who made it. */
  readonly creator: string;
  /** When it was made, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
}

/** Aliases. */
export const aliases = declareCollection<Alias>({
  name: 'room.aliases',
  shardKey: '_id',
  indexes: [{ name: 'by_room', keys: [['room_id', 1]] }],
});
