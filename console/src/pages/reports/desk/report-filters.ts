import type { ReportsListParams } from '@steward/sdk';
import { type FilterKinds, paramsOf, type Search } from '../../../ui/filters/filter.ts';
import type { Sort } from '../../../ui/table/sort.ts';

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

/** What the inbox can show: the cases that need a decision, as it does at first, those of a state, or all. */
export const STATE_TABS = ['unresolved', ...STATES, 'all'] as const;

/** What the inbox shows. */
export type StateTab = (typeof STATE_TABS)[number];

/** The states of the cases that need a decision. */
const UNRESOLVED = ['open', 'triaged', 'escalated'] as const satisfies readonly State[];

/** The severities of cases, the lowest first. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

/** What is reported. */
export const KINDS = ['event', 'user', 'room', 'media'] as const;

/** Stands in the URL for the user who reads it, so that a saved view or a link is of use to each moderator. */
export const ME = 'me';

const CASE_ORDERS = ['urgency', 'received_ts', 'first_received_ts', 'report_count'] as const;

/** The order of the cases until another one is chosen: the most urgent first. */
export const DEFAULT_ORDER: Sort = { by: 'urgency', dir: 'b' };

/** What a URL selects: the cases that need a decision unless it says otherwise. */
export function tabOf(search: Search): StateTab {
  return STATE_TABS.find((each) => each === search.state) ?? 'unresolved';
}

/** The states of the cases that the inbox shows. */
export function statesOf(tab: StateTab): readonly State[] {
  if (tab === 'all') return STATES;
  return tab === 'unresolved' ? UNRESOLVED : [tab];
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

/** The parameters of the API for a URL, and for the order that was chosen before, which a URL without one stands for. */
export function listParamsOf(search: Search, me: string, chosen: Sort = DEFAULT_ORDER): ReportsListParams {
  const tab = tabOf(search);
  const given = { by: search.order_by, dir: search.dir };
  const { by, dir } = search.order_by === undefined && search.dir === undefined ? chosen : given;
  return {
    ...filtersOf(search, me),
    ...(tab === 'all' ? {} : { state: [...statesOf(tab)] }),
    ...(search.reporter === undefined ? oneOf('order_by', CASE_ORDERS, by) : {}),
    ...oneOf('dir', ['f', 'b'], dir),
  };
}

/** Whether each row stands for all cases about its user: in the whole queue of what needs a decision, whose numbers are known. */
export function isGrouped(search: Search): boolean {
  return (
    tabOf(search) === 'unresolved' && Object.keys(REPORT_FILTERS).every((id) => search[id] === undefined)
  );
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
