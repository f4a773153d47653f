import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { AddReportNoteRequest } from '@steward/proto/steward/moderation/v1/reports_pb.ts';
import { requester } from '@steward/rpc';
import type { CaseDeps } from '../../core/cases/case-deps.ts';
import { refuseState } from '../../core/cases/case-tag.ts';
import { MAX_NOTES } from '../../core/model/case.ts';
import { changeByRequest } from './change-by-request.ts';

/**
 * Adds a note to a case in any state.
 *
 * @throws refuse.invalidParam for an empty note, refuse.notFound, refuseWithCase.preconditionFailed, refuseWithCase.wrongState when
 *   the case has as many notes as it may have
 */
export async function addReportNote(deps: CaseDeps, request: AddReportNoteRequest, context: HandlerContext) {
  const { reportId, ifMatch, text } = request;
  if (text.trim() === '') throw refuse.invalidParam("'text' is empty");
  const author = requester(context).owner;
  return changeByRequest(deps, { reportId, ifMatch }, context, ({ notes, ...current }, ts) => {
    if (notes.length >= MAX_NOTES) refuseState({ notes, ...current }, `The case has ${MAX_NOTES} notes`);
    return { set: { notes: [...notes, { id: notes.length + 1, author, ts, text }] } };
  });
}
