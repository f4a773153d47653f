import { type Doc, declareCollection } from '@steward/store';

/**
 * Events that a commit of a room is about to admit, or has admitted, all at once. It is inserted before the
 * commit, which names it in the room's `pending`, and deleted when the events are where they belong.
 */
export interface ImportDocument extends Doc {
  /** Also the id of the pending effect that the commit adds. */
  readonly _id: string;
  readonly room_id: string;
  /** When it was inserted, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** The documents of the events, with the arrival numbers that the commit gives them, as JSON text. */
  readonly events: string;
}

/** Events of loads in bulk, on their way to where they belong. */
export const imports = declareCollection<ImportDocument>({
  name: 'room.imports',
  shardKey: '_id',
  indexes: [{ name: 'age', keys: [['created_ts', 1]] }],
});
