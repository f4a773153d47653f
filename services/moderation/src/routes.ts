import { ActivityService } from '@steward/proto/steward/moderation/v1/activity_pb.ts';
import { AuditService } from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { BulkService } from '@steward/proto/steward/moderation/v1/bulk_pb.ts';
import { DeadLetterService } from '@steward/proto/steward/moderation/v1/dead_letters_pb.ts';
import { EventReportService } from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import { FeedService } from '@steward/proto/steward/moderation/v1/events_pb.ts';
import { ImportService } from '@steward/proto/steward/moderation/v1/import_pb.ts';
import { QuotaService } from '@steward/proto/steward/moderation/v1/quotas_pb.ts';
import { ReportResolutionService } from '@steward/proto/steward/moderation/v1/report_resolution_pb.ts';
import { ReportService } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { ServerNoticeService } from '@steward/proto/steward/moderation/v1/server_notices_pb.ts';
import {
  ProcessService,
  ServerStatusService,
} from '@steward/proto/steward/moderation/v1/server_status_pb.ts';
import { StatisticsService } from '@steward/proto/steward/moderation/v1/statistics_pb.ts';
import { TaskService } from '@steward/proto/steward/moderation/v1/tasks_pb.ts';
import { UserReportService } from '@steward/proto/steward/moderation/v1/user_reports_pb.ts';
import { WebhookService } from '@steward/proto/steward/moderation/v1/webhooks_pb.ts';
import { recordsRoute } from '@steward/records';
import { type Route, route } from '@steward/rpc';
import { collections } from './core/collections.ts';
import type { Deps } from './core/deps.ts';
import { recordKinds } from './core/records/record-kinds.ts';
import { importReports } from './import/import-reports.ts';
import { loadWebhooks } from './import/load-webhooks.ts';
import { listUserActivity } from './verbs/activity/list-user-activity.ts';
import { awaitEntries } from './verbs/audit/await-entries.ts';
import { createAuditCheckpoint } from './verbs/audit/create-audit-checkpoint.ts';
import { exportAuditLog } from './verbs/audit/export-audit-log.ts';
import { listAuditCheckpoints } from './verbs/audit/list-audit-checkpoints.ts';
import { listAuditLog } from './verbs/audit/list-audit-log.ts';
import { verifyAuditLog } from './verbs/audit/verify-audit-log.ts';
import { createBulk } from './verbs/bulk/create-bulk.ts';
import { getBulk } from './verbs/bulk/get-bulk.ts';
import { addReportNote } from './verbs/cases/add-report-note.ts';
import { assignReport } from './verbs/cases/assign-report.ts';
import { escalateReport } from './verbs/cases/escalate-report.ts';
import { getCaseExcerpts } from './verbs/cases/get-case-excerpts.ts';
import { getCaseOverviews } from './verbs/cases/get-case-overviews.ts';
import { getReport } from './verbs/cases/get-report.ts';
import { getReportEvidence } from './verbs/cases/get-report-evidence.ts';
import { listReports } from './verbs/cases/list-reports.ts';
import { listReportsOfCase } from './verbs/cases/list-reports-of-case.ts';
import { reopenReport } from './verbs/cases/reopen-report.ts';
import { resolveReport } from './verbs/cases/resolve-report.ts';
import { setReportSeverity } from './verbs/cases/set-report-severity.ts';
import { triageReport } from './verbs/cases/triage-report.ts';
import { unassignReport } from './verbs/cases/unassign-report.ts';
import { dropDeadLetter } from './verbs/dead-letters/drop-dead-letter.ts';
import { listDeadLetters } from './verbs/dead-letters/list-dead-letters.ts';
import { replayDeadLetter } from './verbs/dead-letters/replay-dead-letter.ts';
import { followEvents } from './verbs/events/follow-events.ts';
import { listEvents } from './verbs/events/list-events.ts';
import { putServerNotice, sendServerNotice } from './verbs/notices/send-server-notice.ts';
import { getQuotas } from './verbs/quotas/get-quotas.ts';
import { setQuotas } from './verbs/quotas/set-quotas.ts';
import { deleteEventReport } from './verbs/reports/delete-event-report.ts';
import { deleteUserReport } from './verbs/reports/delete-user-report.ts';
import { getEventReport } from './verbs/reports/get-event-report.ts';
import { getUserReport } from './verbs/reports/get-user-report.ts';
import { listEventReports } from './verbs/reports/list-event-reports.ts';
import { listUserReports } from './verbs/reports/list-user-reports.ts';
import { reportEvent } from './verbs/reports/report-event.ts';
import { reportRoom } from './verbs/reports/report-room.ts';
import { reportUser } from './verbs/reports/report-user.ts';
import { getServerStatus } from './verbs/server/get-server-status.ts';
import { reportProcess } from './verbs/server/report-process.ts';
import { getHistory } from './verbs/statistics/get-history.ts';
import { getOverview } from './verbs/statistics/get-overview.ts';
import { cancelTask } from './verbs/tasks/cancel-task.ts';
import { getTask } from './verbs/tasks/get-task.ts';
import { listScheduledTasks } from './verbs/tasks/list-scheduled-tasks.ts';
import { listTasks } from './verbs/tasks/list-tasks.ts';
import { createWebhook } from './verbs/webhooks/create-webhook.ts';
import { deleteWebhook } from './verbs/webhooks/delete-webhook.ts';
import { getWebhook } from './verbs/webhooks/get-webhook.ts';
import { getWebhookDelivery } from './verbs/webhooks/get-webhook-delivery.ts';
import { listWebhookDeliveries } from './verbs/webhooks/list-webhook-deliveries.ts';
import { listWebhooks } from './verbs/webhooks/list-webhooks.ts';
import { replayWebhook } from './verbs/webhooks/replay-webhook.ts';
import { replayWebhookDelivery } from './verbs/webhooks/replay-webhook-delivery.ts';
import { rotateWebhookSecret } from './verbs/webhooks/rotate-webhook-secret.ts';
import { testWebhook } from './verbs/webhooks/test-webhook.ts';
import { updateWebhook } from './verbs/webhooks/update-webhook.ts';

/** Maps each RPC to the function that serves it. */
export function createRoutes(deps: Deps): readonly Route[] {
  return [
    route(ActivityService, {
      listUserActivity: (request, context) => listUserActivity(deps, request, context),
    }),
    route(EventReportService, {
      reportEvent: (request, context) => reportEvent(deps, request, context),
      listEventReports: (request) => listEventReports(deps, request),
      getEventReport: (request, context) => getEventReport(deps, request, context),
      deleteEventReport: (request, context) => deleteEventReport(deps, request, context),
    }),
    route(UserReportService, {
      reportUser: (request, context) => reportUser(deps, request, context),
      reportRoom: (request, context) => reportRoom(deps, request, context),
      listUserReports: (request) => listUserReports(deps, request),
      getUserReport: (request) => getUserReport(deps, request),
      deleteUserReport: (request, context) => deleteUserReport(deps, request, context),
    }),
    route(ReportService, {
      listReports: (request) => listReports(deps, request),
      getReport: (request, context) => getReport(deps, request, context),
      listReportsOfCase: (request) => listReportsOfCase(deps, request),
      getCaseOverviews: (request) => getCaseOverviews(deps, request),
      getCaseExcerpts: (request, context) => getCaseExcerpts(deps, request, context),
      getReportEvidence: (request, context) => getReportEvidence(deps, request, context),
      triageReport: (request, context) => triageReport(deps, request, context),
      escalateReport: (request, context) => escalateReport(deps, request, context),
      reopenReport: (request, context) => reopenReport(deps, request, context),
      assignReport: (request, context) => assignReport(deps, request, context),
      unassignReport: (request, context) => unassignReport(deps, request, context),
      addReportNote: (request, context) => addReportNote(deps, request, context),
      setReportSeverity: (request, context) => setReportSeverity(deps, request, context),
    }),
    route(ServerNoticeService, {
      sendServerNotice: (request, context) => sendServerNotice(deps, request, context),
      putServerNotice: (request, context) => putServerNotice(deps, request, context),
    }),
    route(AuditService, {
      listAuditLog: (request) => listAuditLog(deps, request),
      verifyAuditLog: (request, context) => verifyAuditLog(deps, request, context),
      exportAuditLog: (request) => exportAuditLog(deps, request),
      awaitEntries: (request, context) => awaitEntries(deps, request, context),
      createAuditCheckpoint: () => createAuditCheckpoint(deps),
      listAuditCheckpoints: (request) => listAuditCheckpoints(deps, request),
    }),
    route(FeedService, {
      listEvents: (request, context) => listEvents(deps, request, context),
      followEvents: (request, context) => followEvents(deps, request, context),
    }),
    route(WebhookService, {
      listWebhooks: (request) => listWebhooks(deps, request),
      createWebhook: (request, context) => createWebhook(deps, request, context),
      getWebhook: (request) => getWebhook(deps, request),
      updateWebhook: (request, context) => updateWebhook(deps, request, context),
      deleteWebhook: (request, context) => deleteWebhook(deps, request, context),
      rotateWebhookSecret: (request, context) => rotateWebhookSecret(deps, request, context),
      testWebhook: (request, context) => testWebhook(deps, request, context),
      listWebhookDeliveries: (request, context) => listWebhookDeliveries(deps, request, context),
      getWebhookDelivery: (request, context) => getWebhookDelivery(deps, request, context),
      replayWebhookDelivery: (request, context) => replayWebhookDelivery(deps, request, context),
      replayWebhook: (request, context) => replayWebhook(deps, request, context),
    }),
    route(StatisticsService, {
      getOverview: () => getOverview(deps),
      getHistory: (request) => getHistory(deps, request),
    }),
    route(BulkService, {
      createBulk: (request, context) => createBulk(deps, request, context),
      getBulk: (request) => getBulk(deps, request),
    }),
    route(TaskService, {
      listTasks: (request) => listTasks(deps, request),
      getTask: (request) => getTask(deps, request),
      cancelTask: (request, context) => cancelTask(deps, request, context),
      listScheduledTasks: (request) => listScheduledTasks(deps, request),
    }),
    route(QuotaService, {
      getQuotas: (request) => getQuotas(deps, request),
      setQuotas: (request, context) => setQuotas(deps, request, context),
    }),
    route(DeadLetterService, {
      listDeadLetters: (request) => listDeadLetters(deps, request),
      replayDeadLetter: (request) => replayDeadLetter(deps, request),
      dropDeadLetter: (request) => dropDeadLetter(deps, request),
    }),
    route(ServerStatusService, {
      getServerStatus: () => getServerStatus(deps),
    }),
    route(ProcessService, {
      reportProcess: (request) => reportProcess(deps, request),
    }),
    route(ReportResolutionService, {
      resolveReport: (request, context) => resolveReport(deps, request, context),
    }),
    route(ImportService, {
      importReports: (request) => importReports(deps, request),
    }),
    recordsRoute({
      kinds: recordKinds,
      collections,
      opened: deps,
      loaders: { webhooks: (documents, insert) => loadWebhooks(deps, documents, insert) },
    }),
  ];
}
