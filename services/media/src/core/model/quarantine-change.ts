import { type Doc, declareCollection } from '@steward/store';

/** A change of the quarantine at a position of the list. Positions have no gaps. */
export interface QuarantineChange extends Doc {
  /** See `changeId`. */
  readonly _id: string;
  readonly origin: string;
  readonly media_id: string;
  readonly quarantined: boolean;
}

/** The number of digits of a position. */
const DIGITS = 16;

/** Returns the id of the change at a position, from 1; ids sort in the order of positions. */
export function changeId(position: number): string {
  return String(position).padStart(DIGITS, '0');
}

/** Returns the position of a change. */
export function positionOf({ _id }: Pick<QuarantineChange, '_id'>): number {
  return Number(_id);
}

/** The changes of the quarantine, in order. */
export const quarantineChanges = declareCollection<QuarantineChange>({
  name: 'media.quarantine_changes',
  shardKey: '_id',
  indexes: [],
});
