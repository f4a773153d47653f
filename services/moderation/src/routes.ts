import { AuditService } from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { DeadLetterService } from '@steward/proto/steward/moderation/v1/dead_letters_pb.ts';
import { EventReportService } from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import { ImportService } from '@steward/proto/steward/moderation/v1/import_pb.ts';
import { ServerNoticeService } from '@steward/proto/steward/moderation/v1/server_notices_pb.ts';
import { TaskService } from '@steward/proto/steward/moderation/v1/tasks_pb.ts';
import { UserReportService } from '@steward/proto/steward/moderation/v1/user_reports_pb.ts';
import { type Route, route } from '@steward/rpc';
import { listAuditLog } from './audit/list-audit-log.ts';
import { dropDeadLetter } from './dead-letters/drop-dead-letter.ts';
import { listDeadLetters } from './dead-letters/list-dead-letters.ts';
import { replayDeadLetter } from './dead-letters/replay-dead-letter.ts';
import type { Deps } from './deps.ts';
import { importReports } from './import/import-reports.ts';
import { putServerNotice, sendServerNotice } from './notices/send-server-notice.ts';
import { deleteEventReport } from './reports/delete-event-report.ts';
import { deleteUserReport } from './reports/delete-user-report.ts';
import { getEventReport } from './reports/get-event-report.ts';
import { getUserReport } from './reports/get-user-report.ts';
import { listEventReports } from './reports/list-event-reports.ts';
import { listUserReports } from './reports/list-user-reports.ts';
import { reportEvent } from './reports/report-event.ts';
import { reportRoom } from './reports/report-room.ts';
import { reportUser } from './reports/report-user.ts';
import { cancelTask } from './tasks/cancel-task.ts';
import { getTask } from './tasks/get-task.ts';
import { listScheduledTasks } from './tasks/list-scheduled-tasks.ts';
import { listTasks } from './tasks/list-tasks.ts';

/** Which function serves which RPC. */
export function createRoutes(deps: Deps): readonly Route[] {
  return [
    route(EventReportService, {
      reportEvent: (request, context) => reportEvent(deps, request, context),
      listEventReports: (request) => listEventReports(deps, request),
      getEventReport: (request) => getEventReport(deps, request),
      deleteEventReport: (request) => deleteEventReport(deps, request),
    }),
    route(UserReportService, {
      reportUser: (request, context) => reportUser(deps, request, context),
      reportRoom: (request, context) => reportRoom(deps, request, context),
      listUserReports: (request) => listUserReports(deps, request),
      getUserReport: (request) => getUserReport(deps, request),
      deleteUserReport: (request) => deleteUserReport(deps, request),
    }),
    route(ServerNoticeService, {
      sendServerNotice: (request) => sendServerNotice(deps, request),
      putServerNotice: (request, context) => putServerNotice(deps, request, context),
    }),
    route(AuditService, {
      listAuditLog: (request) => listAuditLog(deps, request),
    }),
    route(TaskService, {
      listTasks: (request) => listTasks(deps, request),
      getTask: (request) => getTask(deps, request),
      cancelTask: (request, context) => cancelTask(deps, request, context),
      listScheduledTasks: (request) => listScheduledTasks(deps, request),
    }),
    route(DeadLetterService, {
      listDeadLetters: (request) => listDeadLetters(deps, request),
      replayDeadLetter: (request) => replayDeadLetter(deps, request),
      dropDeadLetter: (request) => dropDeadLetter(deps, request),
    }),
    route(ImportService, {
      importReports: (request) => importReports(deps, request),
    }),
  ];
}
