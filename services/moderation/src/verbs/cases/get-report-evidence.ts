import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type {
  GetReportEvidenceRequest,
  GetReportEvidenceResponseSchema,
} from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import type { Filter } from '@steward/store';
import { caseName } from '../../core/cases/case-aggregate.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { loadCase } from '../../core/cases/find-case.ts';
import { parseInboxKey } from '../../core/cases/inbox-key.ts';
import type { Deps } from '../../core/deps.ts';
import type { Evidence } from '../../core/model/evidence.ts';
import { fromToken, pageSize } from './page-token.ts';
import { pageOf } from './read-page.ts';

const DEFAULT_LIMIT = 20;
/** Few, because the copy of an event has up to 64 KiB. */
const MAX_LIMIT = 100;

/**
 * Returns copies of what was reported, not before the audit log has an entry of that: the copy of one report, or those of the
 * subject of a case; of a report without a copy, because the bounds of a day were reached, why there is none.
 *
 * @throws refuse.notFound when there is no such report, or the copy of the report is not there or past its
 *   retention; refuse.invalidParam for a token of another list
 */
export async function getReportEvidence(
  deps: CaseDeps & Pick<Deps, 'evidence' | 'evidenceRetentionMs'>,
  { reportId, from, limit }: GetReportEvidenceRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetReportEvidenceResponseSchema>> {
  const after = fromToken(from, 'first_ts');
  const { _id, subject, event_id, room_id, user_id, media_uri } = await loadCase(deps, reportId);
  const entry = parseInboxKey(reportId) ? await deps.inbox.findOne({ _id: reportId }) : undefined;
  if (entry?.no_evidence) return { evidence: [], noCopyReason: entry.no_evidence };
  const oldest = deps.clock.now() - deps.evidenceRetentionMs;
  const kept = { last_ts: { $gte: oldest } } as const;
  const filter: Filter<Evidence> = entry ? { _id: entry.evidence ?? '', ...kept } : { subject, ...kept };
  const { rows, nextToken } = await pageOf(deps.evidence, {
    ...{ filter, key: 'first_ts', direction: 1, after },
    limit: pageSize(limit, DEFAULT_LIMIT, MAX_LIMIT),
  });
  if (entry && rows.length === 0 && limit !== 0n)
    throw refuse.notFound('There is no copy of what was reported, or its retention has ended');
  if (rows.length > 0)
    await recordCall(context, {
      scope: Scope.ROOMS_CONTENT,
      targets: [caseName(_id), ...[event_id, room_id, user_id, media_uri].filter((id) => id !== null)],
    });
  const evidence = rows.map((row) => ({
    id: row._id,
    firstReceivedTs: BigInt(row.first_ts),
    lastReceivedTs: BigInt(row.last_ts),
    keptUntilTs: BigInt(row.last_ts + deps.evidenceRetentionMs),
    content: row.content,
  }));
  return nextToken === undefined ? { evidence } : { evidence, nextToken };
}
