import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListReportsOfCaseRequest,
  ListReportsOfCaseResponseSchema,
} from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { loadCase } from '../../core/cases/find-case.ts';
import { fromToken, pageSize } from './page-token.ts';
import { pageOf } from './read-page.ts';
import { toReports } from './render-case.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/**
 * Returns a page of the reports of a case.
 *
 * @throws refuse.notFound, refuse.invalidParam for a token of another list
 */
export async function listReportsOfCase(
  deps: CaseDeps,
  { reportId, from, limit, dir }: ListReportsOfCaseRequest,
): Promise<MessageInitShape<typeof ListReportsOfCaseResponseSchema>> {
  const { _id, report_count: total } = await loadCase(deps, reportId);
  const { rows, nextToken } = await pageOf(deps.inbox, {
    filter: { case: _id },
    key: 'received_ts',
    direction: dir === 'f' ? 1 : -1,
    after: fromToken(from, 'received_ts'),
    limit: pageSize(limit, DEFAULT_LIMIT, MAX_LIMIT),
  });
  const page = { reports: await toReports(deps, rows), total: BigInt(total) };
  return nextToken === undefined ? page : { ...page, nextToken };
}
