import type { Filter, Sort } from '@steward/store';
import type { Usage } from '../../core/model/usage.ts';

/** What a user's media amount to, in the whole or within a time. */
export type UsageRow = Pick<Usage, '_id' | 'displayname' | 'count' | 'length'>;

/** A page of rows, its order and its search. */
export interface UsagePage {
  readonly sortBy: keyof UsageRow;
  readonly direction: 1 | -1;
  readonly from: number;
  readonly limit: number;
  /** What localpart or display name contain; `undefined` for any. */
  readonly term: string | undefined;
}

/** Rows, and how many there are in all. */
export interface FoundUsage {
  readonly rows: readonly UsageRow[];
  readonly total: number;
}

/**
 * The users who have media.
 *
 * @param term what localpart or display name contain; `undefined` for any
 */
export function withMedia(term: string | undefined): Filter<Usage> {
  if (term === undefined) return { facet: 'some' };
  return { facet: 'some', $contains: { paths: ['localpart', 'searched_name'], term } };
}

/** The order by a key; ties ascend in either direction. */
export function orderOf(key: keyof Usage & string, direction: 1 | -1): Sort<Usage> {
  return key === '_id' ? { _id: direction } : { [key]: direction, _id: 1 };
}
