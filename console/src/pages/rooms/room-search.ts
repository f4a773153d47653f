import type { FilterKinds } from '../../ui/filters/filter.ts';

/** What the page of a room keeps in its URL. */
export const ROOM_SEARCH = {
  tab: 'text',
  /** The membership of the users that are listed. */
  membership: 'text',
  /** The type of the state events that are shown. */
  type: 'text',
  /** The event that the browser of messages shows with those around it. */
  event: 'text',
  /** The time at which the browser of messages begins. */
  at: 'time',
  sender: 'text',
  kind: 'text',
  /** What the users that are listed have in their ids or names. */
  user: 'text',
} as const satisfies FilterKinds;
