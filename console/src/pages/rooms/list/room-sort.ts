import type { Search } from '../../../ui/filters/filter.ts';
import type { Sort } from '../../../ui/table/data-table.tsx';

/** The documented values of `order_by`, and whether `dir=f` begins with the greatest. */
const ORDERS = {
  name: false,
  canonical_alias: false,
  creator: false,
  encryption: false,
  federatable: false,
  public: false,
  join_rules: false,
  guest_access: false,
  history_visibility: false,
  joined_members: true,
  joined_local_members: true,
  version: true,
  state_events: true,
  last_activity: true,
  messages: true,
  bytes: true,
  created: true,
} as const;

type Order = keyof typeof ORDERS;

/** The order of a list as the API names it. */
export interface ApiOrder {
  readonly order_by: Order;
  readonly dir: 'f' | 'b';
}

/** Reads the order from a URL; without one, that in which the server answers the filters. */
export function orderOf(search: Search): ApiOrder {
  const dir = search.dir === 'b' ? 'b' : 'f';
  const asked = search.order_by;
  if (typeof asked === 'string' && Object.hasOwn(ORDERS, asked)) return { order_by: asked as Order, dir };
  const { last_activity_after, last_activity_before, members_min, members_max } = search;
  if ((last_activity_after ?? last_activity_before) !== undefined) return { order_by: 'last_activity', dir };
  if ((members_min ?? members_max) !== undefined) return { order_by: 'joined_members', dir };
  return { order_by: 'name', dir };
}

/** The order as the heads of the columns show it, where `f` ascends. */
export function shownSort({ order_by: by, dir }: ApiOrder): Sort {
  return { by, dir: ORDERS[by] ? opposite(dir) : dir };
}

/** The order after a click on the head of a column: another column begins as the API does, the same one is reversed. */
export function nextOrder(before: ApiOrder, clicked: string): ApiOrder {
  const order_by = clicked as Order;
  return { order_by, dir: order_by === before.order_by ? opposite(before.dir) : 'f' };
}

function opposite(dir: 'f' | 'b'): 'f' | 'b' {
  return dir === 'f' ? 'b' : 'f';
}
