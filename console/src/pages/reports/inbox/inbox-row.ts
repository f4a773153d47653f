import type { InboxReport, ListReportsResponse, ReportCaseSummary } from '@steward/sdk';
import type { Subject } from '../desk/subject-title.tsx';

/** A row of the inbox: a case, or one of the reports of a reporter. */
export interface InboxRow extends Subject {
  /** The id of the report, or of the case. */
  readonly id: string;
  readonly caseId: string;
  readonly state: string;
  readonly severity: string | null;
  readonly assignee: string | null;
  readonly receivedTs: number;
  /** Unset for a report. */
  readonly summary: ReportCaseSummary | undefined;
  /** Unset for a case. */
  readonly report: InboxReport | undefined;
}

/** The rows of a page of the list. */
export function rowsOf({ cases, reports }: ListReportsResponse): readonly InboxRow[] {
  return [...cases.map(rowOfCase), ...reports.map(rowOfReport)];
}

function rowOfCase(summary: ReportCaseSummary): InboxRow {
  const { case_id: caseId, last_received_ts: receivedTs } = summary;
  return { ...summary, id: caseId, caseId, receivedTs, summary, report: undefined };
}

function rowOfReport(report: InboxReport): InboxRow {
  const { case_id: caseId, received_ts: receivedTs } = report;
  return { ...report, caseId, receivedTs, summary: undefined, report };
}
