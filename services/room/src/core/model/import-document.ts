import { type Doc, declareCollection } from '@steward/store';

/**
 * Imported events that one commit of a room admits. The document is inserted before the commit, whose pending effect
 * names it, and deleted when the effect was applied.
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

/** Import documents. */
export const imports = declareCollection<ImportDocument>({
  name: 'room.imports',
  shardKey: null,
  indexes: [{ name: 'age', keys: [['created_ts', 1]] }],
});
