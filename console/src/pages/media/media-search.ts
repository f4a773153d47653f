import type { Params } from '../../client/operation.ts';
import { type FilterKinds, paramsOf, type Search } from '../../ui/filters/filter.ts';

/** The filters of the inventory, named as the parameters of the API. */
export const MEDIA_FILTERS = {
  user_id: 'text',
  room_id: 'text',
  origin: 'text',
  type: 'text',
  size_min: 'number',
  size_max: 'number',
  created_after: 'time',
  created_before: 'time',
  accessed_after: 'time',
  accessed_before: 'time',
  never_accessed: 'flag',
  quarantined: 'flag',
  protected: 'flag',
  orphaned: 'flag',
} as const satisfies FilterKinds;

/** The filters of the usage by user. */
export const USAGE_FILTERS = {
  search_term: 'text',
  from_ts: 'time',
  until_ts: 'time',
} as const satisfies FilterKinds;

/** The filters of known-bad content. */
export const HASH_FILTERS = { source: 'text', action: 'choice' } as const satisfies FilterKinds;

/** The filter of the changes of quarantine. */
export const CHANGE_FILTERS = { from: 'number' } as const satisfies FilterKinds;

/** What the page keeps in its URL besides filters. */
export const MEDIA_VIEW = {
  tab: 'text',
  layout: 'text',
  order_by: 'text',
  dir: 'text',
} as const satisfies FilterKinds;

/** The parameters that select media. */
export type Selector = Omit<Params<'media.list'>, 'from' | 'limit' | 'order_by' | 'dir'>;

/** Why filters cannot be asked for: the key of a message. */
export type Violation = 'user_id' | 'room_id' | 'origin' | 'type' | 'size' | 'created' | 'accessed' | 'never';

/** What the server accepts. */
const MAX_LENGTH = 255;
const FORMS = {
  user_id: /^@[^:]*:/,
  room_id: /^!/,
  origin: /^[A-Za-z0-9.:[\]-]+$/,
  type: /^[a-z0-9!#$&^_.+-]+\/(?:\*|[a-z0-9!#$&^_.+-]+)$/i,
} as const;

/** The selector of a URL. */
export function selectorOf(search: Search): Selector {
  return paramsOf(MEDIA_FILTERS, search) as Selector;
}

/** Says what the server would refuse in a selector: filters are incomplete while they are typed. */
export function violationOf(selector: Selector): Violation | undefined {
  for (const key of ['user_id', 'room_id', 'origin', 'type'] as const) {
    const value = selector[key];
    if (value !== undefined && (value.length > MAX_LENGTH || !FORMS[key].test(value))) return key;
  }
  const { size_min, size_max, created_after, created_before, accessed_after, accessed_before } = selector;
  if (size_min !== undefined && size_max !== undefined && size_min > size_max) return 'size';
  if (!isPeriod(created_after, created_before)) return 'created';
  if (!isPeriod(accessed_after, accessed_before)) return 'accessed';
  const isAccessed = accessed_after !== undefined || accessed_before !== undefined;
  return selector.never_accessed && isAccessed ? 'never' : undefined;
}

/** Whether a time may be between two limits, of which either may be absent. */
export function isPeriod(after: number | undefined, before: number | undefined): boolean {
  return after === undefined || before === undefined || after < before;
}

/** The direction in a URL. */
export function dirOf(search: Search): 'f' | 'b' {
  return search.dir === 'f' ? 'f' : 'b';
}
