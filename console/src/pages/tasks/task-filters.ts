import type { FilterKinds } from '../../ui/filters/filter.ts';

/** The filters of the list of tasks, named as the parameters of the API. */
export const TASK_FILTERS = {
  target: 'text',
  state: 'choices',
  kind: 'choices',
  requested_by: 'text',
  from_ts: 'time',
  until_ts: 'time',
} as const satisfies FilterKinds;
