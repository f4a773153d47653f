import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import type { ReportCaseSchema } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { callId, requester } from '@steward/rpc';
import { amendCase, type CaseAmendment } from '../../core/cases/amend-case.ts';
import { caseName } from '../../core/cases/case-aggregate.ts';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { caseIdOf } from '../../core/cases/find-case.ts';
import { answerWithCase } from './answer-with-case.ts';

/** A request that changes a case. */
interface ChangeRequest {
  readonly reportId: string;
  readonly ifMatch?: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Changes the case of a request in the name of its caller, and answers with it and its tag.
 *
 * @throws as `amendCase`
 */
export async function changeByRequest(
  deps: CaseDeps,
  { reportId, ifMatch, reason = '' }: ChangeRequest,
  context: HandlerContext,
  decide: CaseAmendment['decide'],
): Promise<{ case: MessageInitShape<typeof ReportCaseSchema> }> {
  const by = requester(context).owner;
  const caseId = await caseIdOf(deps, reportId);
  // The log finds the change by the case, also if the process is killed before the answer.
  await recordCall(context, { targets: [caseName(caseId)] });
  const changed = await amendCase(deps, caseId, {
    by,
    reason: reason || null,
    call: callId(context),
    ifMatch,
    decide,
  });
  return answerWithCase(context, changed);
}
