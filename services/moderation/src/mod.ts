/** The moderation service: reports, notices, the audit log, and the view of the tasks and dead letters of all services. */
export { access } from './access.ts';
export { type DescribedKind, describeActionKinds } from './core/actions/describe-kinds.ts';
export { collections as moderationCollections } from './core/collections.ts';
export { type EventReport, eventReports } from './core/model/report.ts';
export { furtherOfReport } from './core/records/further-fields.ts';
export { recordKinds as moderationRecordKinds } from './core/records/record-kinds.ts';
export { exportedReport } from './export/exported-report.ts';
export {
  type ModerationService,
  type ModerationServiceOptions,
  startModerationService,
} from './service.ts';
