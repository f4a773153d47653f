import { type Doc, declareCollection } from '@steward/store';

/** A change of the quarantine, in the order in which lists have them. Positions have no gaps. */
export interface QuarantineChange extends Doc {
  /** See `changeId`. */
  readonly _id: string;
  readonly origin: string;
  readonly media_id: string;
  readonly quarantined: boolean;
}

/** As many digits as positions have. */
const DIGITS = 16;

/** The id of the change at a position, from 1: ids are in the order of positions. */
export function changeId(position: number): string {
  return String(position).padStart(DIGITS, '0');
}

/** The position of a change. */
export function positionOf({ _id }: Pick<QuarantineChange, '_id'>): number {
  return Number(_id);
}

/** What went into quarantine and came out of it, in this order. */
export const quarantineChanges = declareCollection<QuarantineChange>({
  name: 'media.quarantine_changes',
  shardKey: '_id',
  indexes: [],
});
