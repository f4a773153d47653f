import type { CommandTable } from '../operations/operation-command.ts';
import { addAuditVerify } from './add-audit-verify.ts';
import { addEventsTail } from './add-events-tail.ts';
import { addTasksCancel } from './add-tasks-cancel.ts';
import { addTasksWait } from './add-tasks-wait.ts';
import { addTasksWatch } from './add-tasks-watch.ts';
import { addUsersDeactivate } from './add-users-deactivate.ts';
import { addDoctor } from './doctor/add-doctor.ts';
import { addExport } from './files/add-export.ts';
import { addImport } from './files/add-import.ts';
import type { Flow } from './flow.ts';
import { addReportsTriage } from './triage/add-reports-triage.ts';

/** Returns all flows: commands with several operations, one file each. */
export function flowsOf(table: CommandTable): readonly Flow[] {
  return [
    addTasksWait,
    addTasksWatch,
    addTasksCancel,
    addUsersDeactivate(table),
    addEventsTail,
    addAuditVerify,
    addReportsTriage,
    addDoctor,
    addImport,
    addExport,
  ];
}
