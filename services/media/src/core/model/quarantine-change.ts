import { type Doc, declareCollection } from '@steward/store';

/** A change of the quarantine. Changes are numbered from 1, without gaps. */
export interface QuarantineChange extends Doc {
  /** See `changeId`. */
  readonly _id: string;
  readonly origin: string;
  readonly media_id: string;
  readonly quarantined: boolean;
}

/** The number of digits of an id. */
const DIGITS = 16;

/** Returns the id of the n-th change; ids sort in the order of the changes. */
export function changeId(n: number): string {
  return String(n).padStart(DIGITS, '0');
}

/** Returns the number of a change. */
export function numberOf({ _id }: Pick<QuarantineChange, '_id'>): number {
  return Number(_id);
}

/** The changes of the quarantine, in order. */
export const quarantineChanges = declareCollection<QuarantineChange>({
  name: 'media.quarantine_changes',
  shardKey: null,
  indexes: [],
});
