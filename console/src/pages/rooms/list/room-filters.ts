import type { FilterKinds, Search } from '../../../ui/filters/filter.ts';
import { isRoomId } from '../room/is-room-id.ts';

/** The filters of the list of rooms, named as the parameters of the API. */
export const ROOM_FILTERS = {
  search_term: 'text',
  encrypted: 'flag',
  blocked: 'flag',
  public_rooms: 'flag',
  empty_rooms: 'flag',
  tombstoned: 'flag',
  join_rule: 'choice',
  version: 'text',
  members_min: 'number',
  members_max: 'number',
  last_activity_after: 'time',
  last_activity_before: 'time',
  creator: 'text',
  alias: 'text',
  alias_contains: 'text',
  space: 'text',
  encryption: 'text',
} as const satisfies FilterKinds;

/** What the page of rooms keeps in its URL. */
export const ROOMS_SEARCH = {
  ...ROOM_FILTERS,
  order_by: 'text',
  dir: 'text',
  tab: 'text',
  blocked_by: 'text',
} as const satisfies FilterKinds;

/** Why filters cannot be asked for. */
export type FilterProblem = 'members_contradict' | 'activity_contradicts' | 'space_malformed';

/** Finds what the server would refuse, so that it is not asked while a filter is being typed. */
export function problemOf(search: Search): FilterProblem | undefined {
  const { members_min: least, members_max: most, space } = search;
  if (least !== undefined && most !== undefined && Number(least) > Number(most)) return 'members_contradict';
  const { last_activity_after: after, last_activity_before: before } = search;
  if (after !== undefined && before !== undefined && after >= before) return 'activity_contradicts';
  if (space !== undefined && !isRoomId(String(space))) return 'space_malformed';
  return undefined;
}
