import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListUserReportsRequest,
  ListUserReportsResponseSchema,
  UserReportSchema,
} from '@steward/proto/steward/moderation/v1/user_reports_pb.ts';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import type { UserReport } from '../../core/model/report.ts';
import { reportId } from '../../core/report-id.ts';
import { nextToken, pageOf, windowOf } from './page.ts';

/** Returns a page of the reports of users (behaviour.md 13.6). */
export async function listUserReports(
  deps: Pick<Deps, 'userReports'>,
  request: ListUserReportsRequest,
): Promise<MessageInitShape<typeof ListUserReportsResponseSchema>> {
  const window = windowOf(request);
  const { rows: reports, total } = await pageOf(deps.userReports, filterOf(request), window);
  return {
    userReports: reports.map(toUserReport),
    total: BigInt(total),
    ...nextToken(window, reports.length, total),
  };
}

function filterOf({ userId, targetUserId }: ListUserReportsRequest): Filter<UserReport> {
  const searches: Filter<UserReport>[] = [];
  if (userId) searches.push({ $contains: { paths: ['user_id'], term: userId } });
  if (targetUserId) searches.push({ $contains: { paths: ['target_user_id'], term: targetUserId } });
  return searches.length > 0 ? { $and: searches } : {};
}

/** Renders a report. */
export function toUserReport(report: UserReport): MessageInitShape<typeof UserReportSchema> {
  return {
    id: reportId(report),
    receivedTs: BigInt(report.received_ts),
    targetUserId: report.target_user_id,
    userId: report.user_id,
    reason: report.reason,
  };
}
