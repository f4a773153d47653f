import type { Filter, Sort } from '@steward/store';
import type { Usage } from '../../core/model/usage.ts';

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
