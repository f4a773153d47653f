import { refuseWithCase } from '@steward/errors';
import type { ReportCase } from '../model/case.ts';

/** What a decision depends on: that it is made about the case which the moderator saw. */
export interface Precondition {
  /** The header `If-Match`; absent for none. */
  readonly ifMatch?: string | undefined;
}

/** The entity tag of a case: another one after each change by a moderator. */
export function caseTag({ _id, revision }: Pick<ReportCase, '_id' | 'revision'>): string {
  return `"${_id}.${revision}"`;
}

/** @throws refuseWithCase.preconditionFailed unless `If-Match` permits the change of the case */
export function requireMatch(current: ReportCase, { ifMatch }: Precondition): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  // A weak tag, which begins with W/, never matches.
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.includes(caseTag(current)))
    throw refuseWithCase.preconditionFailed('The case has changed; read it again', summaryOf(current));
}

/** @throws refuseWithCase.wrongState always: the state of the case does not permit the change */
export function refuseState(current: ReportCase, message: string): never {
  throw refuseWithCase.wrongState(message, summaryOf(current));
}

/** The current state of a case, as refusals contain it. */
function summaryOf(current: ReportCase) {
  const { _id, state, outcome, duplicate_of, assignee, severity, changed_ts, changed_by } = current;
  return {
    case_id: _id,
    ...{ state, outcome, duplicate_of, assignee, severity },
    ...{ changed_ts, changed_by },
    etag: caseTag(current),
  };
}
