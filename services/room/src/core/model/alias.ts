import { type Doc, declareCollection } from '@steward/store';

/** An alias of a room; it does not resolve unless the room exists. */
export interface Alias extends Doc {
  /** The alias. */
  readonly _id: string;
  readonly room_id: string;
  /** The user who created it. */
  readonly creator: string;
  /** When it was created, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
}

/** Aliases. */
export const aliases = declareCollection<Alias>({
  name: 'room.aliases',
  shardKey: '_id',
  indexes: [
    { name: 'by_room', keys: [['room_id', 1]] },
    { name: 'by_creator', keys: [['creator', 1]] },
  ],
});
