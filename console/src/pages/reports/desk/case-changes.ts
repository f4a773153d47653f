import type { ReportCase } from '@steward/sdk';

/** What a case has that moderators change. */
export type Standing = Pick<
  ReportCase,
  'etag' | 'state' | 'assignee' | 'severity' | 'changed_by' | 'changed_ts'
> & { readonly notes: readonly unknown[] };

/** A difference between two readings of a case. */
export interface Difference {
  readonly field: 'state' | 'assignee' | 'severity' | 'notes';
  /** null for none. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Returns what differs between two readings of a case. */
export function differencesBetween(before: Standing, after: Standing): readonly Difference[] {
  const values = (['state', 'assignee', 'severity'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: before[field], to: after[field] }));
  const added = after.notes.length - before.notes.length;
  return added > 0 ? [...values, { field: 'notes', from: null, to: String(added) }] : values;
}
