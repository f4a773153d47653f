import type { GetReportResponse } from '@steward/sdk';
import type { Can } from '../../../api/use-can.ts';
import type { Operation } from '../../../client/operation.ts';

/** A case as a page has read it. */
export type Case = GetReportResponse;

/** What a moderator does with a case. */
export type CaseOrder =
  | 'assign'
  | 'assign_other'
  | 'unassign'
  | 'triage'
  | 'escalate'
  | 'severity'
  | 'note'
  | 'decide'
  | 'reopen';

/** What a dialog asks for; the severity is set, and a case is decided, next to what was reported. */
export type AskedOrder = Exclude<CaseOrder, 'severity' | 'decide'>;

/** The operations of the API for them. */
export const CASE_OPERATIONS = {
  assign: 'reports.assign',
  assign_other: 'reports.assign',
  unassign: 'reports.unassign',
  triage: 'reports.markTriaged',
  escalate: 'reports.escalate',
  severity: 'reports.setSeverity',
  note: 'reports.addNote',
  decide: 'reports.resolve',
  reopen: 'reports.reopen',
} as const satisfies Record<CaseOrder, Operation>;

/** How often the server opens a case again. */
const MAX_REOPENED = 20;
/** How many notes the server keeps of a case. */
const MAX_NOTES = 100;

/** Whether the user may give an order, and the state of the case permits it. */
export function isOffered(order: CaseOrder, current: Case, me: string, can: Can): boolean {
  return can(CASE_OPERATIONS[order]) && isPossible(order, current, me);
}

function isPossible(order: CaseOrder, current: Case, me: string): boolean {
  const { state, assignee, notes, next_case, resolution, former_resolutions } = current;
  switch (order) {
    case 'assign':
      return state !== 'resolved' && assignee !== me;
    case 'assign_other':
    case 'severity':
    case 'decide':
      return state !== 'resolved';
    case 'unassign':
      return state !== 'resolved' && assignee !== null;
    case 'triage':
      return state === 'open' || state === 'escalated';
    case 'escalate':
      return state === 'open' || state === 'triaged';
    case 'note':
      return notes.length < MAX_NOTES;
    case 'reopen':
      return (
        state === 'resolved' &&
        next_case === null &&
        former_resolutions.length < MAX_REOPENED &&
        !resolution?.orders.some((each) => each.state === 'pending')
      );
  }
}
