/** For tests and benches that write documents which requests could not create in time. */
export { inboxKey } from './core/cases/inbox-key.ts';
export { newCase } from './core/cases/new-case.ts';
export { caseFacet, type SubjectIds } from './core/cases/subject.ts';
export { type AuditEntry, auditLog } from './core/model/audit-entry.ts';
export {
  CASE_STATES,
  type CaseSeverity,
  type CaseState,
  cases,
  type ReportCase,
  type SubjectKind,
} from './core/model/case.ts';
export { type InboxEntry, inbox } from './core/model/inbox-entry.ts';
export {
  type EventReport,
  eventReports,
  type MediaReport,
  mediaReports,
  type RoomReport,
  roomReports,
  type UserReport,
  userReports,
} from './core/model/report.ts';
export { reportKey } from './core/report-id.ts';
