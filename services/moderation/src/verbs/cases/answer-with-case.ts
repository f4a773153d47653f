import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { ReportCaseSchema } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { setEntityTag } from '@steward/rpc';
import { caseTag } from '../../core/cases/case-tag.ts';
import type { ReportCase } from '../../core/model/case.ts';
import { toCase } from './render-case.ts';

/** The answer with a case; it states the tag of the case. */
export function answerWithCase(
  context: HandlerContext,
  found: ReportCase,
): { case: MessageInitShape<typeof ReportCaseSchema> } {
  setEntityTag(context.responseHeader, caseTag(found));
  return { case: toCase(found) };
}
