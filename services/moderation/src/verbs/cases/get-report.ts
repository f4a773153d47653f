import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  GetReportRequest,
  GetReportResponseSchema,
} from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { loadCase } from '../../core/cases/find-case.ts';
import { parseInboxKey } from '../../core/cases/inbox-key.ts';
import { answerWithCase } from './answer-with-case.ts';
import { toReports } from './render-case.ts';

/**
 * Returns the case that an id stands for, and the report if it is that of one.
 *
 * @throws refuse.notFound
 */
export async function getReport(
  deps: CaseDeps,
  { reportId }: GetReportRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetReportResponseSchema>> {
  const found = await loadCase(deps, reportId);
  const answer = answerWithCase(context, found);
  if (!parseInboxKey(reportId)) return answer;
  const entry = await deps.inbox.findOne({ _id: reportId });
  if (!entry || entry.state === 'deleted') throw refuse.notFound('Report not found');
  const [report] = await toReports(deps, [entry]);
  return report ? { ...answer, report } : answer;
}
