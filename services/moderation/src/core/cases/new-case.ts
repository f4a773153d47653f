import type { ReportCase } from '../model/case.ts';
import { caseFacet, caseId, type SubjectIds, subjectOf } from './subject.ts';

/** The subject of a case. */
export function subjectIdsOf({ kind, user_id, room_id, event_id, media_uri }: SubjectIds): SubjectIds {
  return { kind, user_id, room_id, event_id, media_uri };
}

/** A case of a subject without reports. */
export function newCase(ids: SubjectIds, number: number, now: number): Omit<ReportCase, 'pending'> {
  const subject = subjectOf(ids);
  const standing = { state: 'open', severity: null, assignee: null } as const;
  return {
    _id: caseId(subject, number),
    version: 0,
    ...subjectIdsOf(ids),
    subject,
    number,
    previous_case: number > 1 ? caseId(subject, number - 1) : null,
    next_case: null,
    ...standing,
    facet: caseFacet({ ...standing, kind: ids.kind }),
    outcome: null,
    duplicate_of: null,
    revision: 0,
    notes: [],
    history: [],
    report_count: 0,
    reporter_count: 0,
    first_received_ts: now,
    last_received_ts: now,
    changed_ts: null,
    changed_by: null,
    resolution: null,
    former_resolutions: [],
  };
}
