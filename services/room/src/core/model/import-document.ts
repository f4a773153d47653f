import { type Doc, declareCollection } from '@steward/store';
import type { EventDocument } from './event-document.ts';

/**
 * Imported events, and redactions, that one commit of a room admits. The document is inserted before the commit, whose pending effect
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
  /** The redactions of events that were there before, as JSON text; absent for none. */
  readonly redactions?: string;
  /** The ranges of state events that were there before, as JSON text; absent for none. */
  readonly ranges?: string;
}

/** A state event that gets the ranges of arrivals at which it is part of the state, and what it replaced in its branch. */
export type Ranged = Pick<
  EventDocument,
  '_id' | 'room_id' | 'type' | 'state_key' | 'in_state' | 'replaces_in_branch'
>;

/** A redaction, which an event other than a redaction can stand for: what it is, where, and its target. */
export type Redaction = Pick<EventDocument, '_id' | 'room_id' | 'redacts'>;

/** The content of an import document. */
export interface Imported {
  /** When it was inserted, in milliseconds since the Unix epoch. */
  readonly created_ts: number;
  readonly events: readonly EventDocument[];
  /** The redactions of events that were there before. */
  readonly redactions: readonly Redaction[];
  /** The ranges of state events that were there before. */
  readonly ranges: readonly Ranged[];
}

/** Import documents. */
export const imports = declareCollection<ImportDocument>({
  name: 'room.imports',
  shardKey: null,
  indexes: [{ name: 'age', keys: [['created_ts', 1]] }],
});
