import type { Filter, Sort } from '@steward/store';
import type { Usage } from '../../core/model/usage.ts';

/** The number and the size of a user's media, in total or within a time range. */
export type UsageRow = Pick<Usage, '_id' | 'displayname' | 'count' | 'length'>;

/** A page of rows, its order and its search. */
export interface UsagePage {
  readonly sortBy: keyof UsageRow;
  readonly direction: 1 | -1;
  readonly from: number;
  readonly limit: number;
  /** A text that the localpart or the display name contains; `undefined` for any. */
  readonly term: string | undefined;
}

/** The rows of a page, and the total number. */
export interface FoundUsage {
  readonly rows: readonly UsageRow[];
  readonly total: number;
}

/**
 * Selects the users who have media.
 *
 * @param term a text that the localpart or the display name contains; `undefined` for any
 */
export function withMedia(term: string | undefined): Filter<Usage> {
  if (term === undefined) return { facet: 'some' };
  return { facet: 'some', $contains: { paths: ['localpart', 'searched_name'], term } };
}

/** Returns the order by a key; ties ascend in both directions. */
export function orderOf(key: keyof Usage & string, direction: 1 | -1): Sort<Usage> {
  return key === '_id' ? { _id: direction } : { [key]: direction, _id: 1 };
}
