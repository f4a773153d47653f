import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type {
  GetCaseExcerptsRequest,
  GetCaseExcerptsResponseSchema,
} from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { caseName } from '../../core/cases/case-aggregate.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { excerptOf } from '../../core/cases/excerpt-of.ts';
import type { Deps } from '../../core/deps.ts';
import { namedCases } from './named-cases.ts';

/**
 * Returns the beginning of what was reported in cases, from the last copy of each, not before the audit log has an entry of that. Of a
 * case without a copy within its retention there is none.
 */
export async function getCaseExcerpts(
  deps: CaseDeps & Pick<Deps, 'evidence' | 'evidenceRetentionMs'>,
  { caseId }: GetCaseExcerptsRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetCaseExcerptsResponseSchema>> {
  const found = await namedCases(deps, caseId);
  const oldest = deps.clock.now() - deps.evidenceRetentionMs;
  const copies = await Promise.all(
    found.map(async (each) => {
      const [copy] = await deps.evidence
        .find(
          { subject: each.subject, last_ts: { $gte: oldest } },
          { sort: { first_ts: -1, _id: -1 }, limit: 1 },
        )
        .toArray();
      return copy === undefined ? [] : [{ ...each, excerpt: excerptOf(copy.content) }];
    }),
  );
  const shown = copies.flat();
  if (shown.length > 0)
    await recordCall(context, {
      scope: Scope.ROOMS_CONTENT,
      targets: [
        ...new Set(
          shown.flatMap(({ _id, event_id, room_id, user_id, media_uri }) => [
            caseName(_id),
            ...[event_id, room_id, user_id, media_uri].filter((id) => id !== null),
          ]),
        ),
      ],
    });
  return { cases: Object.fromEntries(shown.map(({ _id, excerpt }) => [_id, excerpt])) };
}
