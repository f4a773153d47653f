import type { FilterKinds } from '../../ui/filters/filter.ts';

/** The filters of the audit log, named as the parameters of the API. */
export const AUDIT_FILTERS = {
  target: 'text',
  actor: 'text',
  action: 'text',
  outcome: 'choice',
  request_id: 'text',
  from_ts: 'time',
  until_ts: 'time',
} as const satisfies FilterKinds;
