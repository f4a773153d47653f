import type { ReportsListParams } from '@steward/sdk';
import { type FilterKinds, paramsOf, type Search } from '../../../ui/filters/filter.ts';

/** The filters of the inbox, named as the parameters of the API. */
export const REPORT_FILTERS = {
  user: 'text',
  room_id: 'text',
  kind: 'choice',
  assignee: 'text',
  severity: 'choice',
  reporter: 'text',
  received_after: 'time',
  received_before: 'time',
} as const satisfies FilterKinds;

/** The states of cases. */
export const STATES = ['open', 'triaged', 'escalated', 'resolved'] as const;

/** A state of cases. */
export type State = (typeof STATES)[number];

/** What the inbox shows: the cases of a state, or all. */
export type StateTab = State | 'all';

/** The severities of cases, the lowest first. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

/** What is reported. */
export const KINDS = ['event', 'user', 'room', 'media'] as const;

/** Stands in the URL for the user who reads it, so that a saved view or a link is of use to each moderator. */
export const ME = 'me';

const CASE_ORDERS = ['received_ts', 'first_received_ts', 'report_count'] as const;

/** The state that a URL selects: open cases unless it says otherwise. */
export function stateOf(search: Search): StateTab {
  const known: readonly StateTab[] = [...STATES, 'all'];
  return known.find((each) => each === search.state) ?? 'open';
}

/** The parameters of the API for a URL, without the state: by these the states are counted. */
export function filtersOf(search: Search, me: string): ReportsListParams {
  const { kind, severity, user, ...given } = paramsOf(REPORT_FILTERS, search);
  return {
    ...given,
    ...(user === undefined ? {} : { user: userIdOf(String(user), me) }),
    ...(given.assignee === ME ? { assignee: me } : {}),
    // Reports are listed by their reporter; a case has several.
    ...(search.reporter === undefined ? { group: 'subject' } : {}),
    ...oneOf('kind', KINDS, kind),
    ...oneOf('severity', ['none', ...SEVERITIES], severity),
  };
}

/** The parameters of the API for a URL. */
export function listParamsOf(search: Search, me: string): ReportsListParams {
  const state = stateOf(search);
  return {
    ...filtersOf(search, me),
    ...(state === 'all' ? {} : { state: [state] }),
    ...(search.reporter === undefined ? oneOf('order_by', CASE_ORDERS, search.order_by) : {}),
    ...oneOf('dir', ['f', 'b'], search.dir),
  };
}

/** A user id that was typed in full, or by its name on this server. */
function userIdOf(text: string, me: string): string {
  const named = text.startsWith('@') ? text : `@${text}`;
  return named.includes(':') ? named : `${named}${me.slice(me.indexOf(':'))}`;
}

/** A parameter, if its value is one that the API knows: a link made by hand must not be refused. */
function oneOf(name: string, values: readonly string[], given: unknown): object {
  return values.some((each) => each === given) ? { [name]: given } : {};
}
