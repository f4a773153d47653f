import type { Params } from '../../client/operation.ts';
import { type FilterKinds, paramsOf, type Search } from '../../ui/filters/filter.ts';
import type { Sort } from '../../ui/table/data-table.tsx';

/** The filters of the list of users, named as the parameters of the API. */
export const USER_FILTERS = {
  name: 'text',
  admins: 'flag',
  is_locked: 'flag',
  suspended: 'flag',
  shadow_banned: 'flag',
  is_deactivated: 'flag',
  erased: 'flag',
  awaits_approval: 'flag',
  is_guest: 'flag',
  hide_bridges: 'flag',
  user_type: 'choices',
  role: 'choice',
  threepid_contains: 'text',
  external_id: 'text',
  created_after: 'time',
  created_before: 'time',
  last_seen_after: 'time',
  last_seen_before: 'time',
  never_seen: 'flag',
} as const satisfies FilterKinds;

/** What the list of users keeps in the URL beside its filters. */
export const USER_SORT = { order_by: 'text', dir: 'text' } as const satisfies FilterKinds;

const SORT_KEYS = [
  'name',
  'displayname',
  'user_type',
  'creation_ts',
  'last_seen_ts',
  'admin',
  'is_guest',
  'locked',
  'shadow_banned',
  'deactivated',
  'avatar_url',
];

/** Returns the order that a URL asks for; by id if it names none that the server knows. */
export function userSortOf({ order_by: by, dir }: Search): Sort {
  const known = SORT_KEYS.find((each) => each === by);
  return { by: known ?? 'name', dir: dir === 'b' ? 'b' : 'f' };
}

/**
 * Returns the parameters of the list for a URL. Accounts of all states are listed unless a filter says otherwise.
 *
 * @param mayReadRoles whether the filter by role, which has a scope of its own, may be sent
 */
export function userParamsOf(search: Search, mayReadRoles: boolean): Params<'users.list'> {
  const { awaits_approval: awaits, role, external_id: externalId, ...rest } = search;
  const { name, ...filters } = paramsOf(USER_FILTERS, rest) as { readonly name?: string };
  const { by, dir } = userSortOf(search);
  return {
    locked: true,
    deactivated: true,
    ...filters,
    ...(name === undefined ? {} : name.startsWith('@') ? { user_id: name } : { name }),
    // The server refuses what has no provider, such as an id that is being typed.
    ...(typeof externalId === 'string' && externalId.includes(':') ? { external_id: externalId } : {}),
    ...(role !== undefined && mayReadRoles ? { role: String(role) } : {}),
    ...(awaits === 'true' ? { approved: false } : {}),
    ...(by === 'name' && dir === 'f' ? {} : { order_by: by, dir }),
  } as Params<'users.list'>;
}
