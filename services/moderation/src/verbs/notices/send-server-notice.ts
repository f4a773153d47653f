import type { HandlerContext } from '@connectrpc/connect';
import { randomId } from '@steward/kernel';
import type {
  PutServerNoticeRequest,
  SendServerNoticeRequest,
} from '@steward/proto/steward/moderation/v1/server_notices_pb.ts';
import { callId, raiseDeferred, requester, waiveDeferred } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { deliverNotice } from '../../core/notices/deliver-notice.ts';
import { readNotice } from '../../core/notices/read-notice.ts';
import { transactionKey } from './transaction-key.ts';

/** Sends a notice to a user (behaviour.md 7.1). */
export async function sendServerNotice(
  deps: Deps,
  request: SendServerNoticeRequest,
  context: HandlerContext,
) {
  const notice = await readNotice(deps, request);
  const transaction = callId(context) ?? randomId(deps.random);
  return { eventId: await deliverNotice(deps, { ...notice, transaction }) };
}

/** Works as `sendServerNotice`, once for each transaction; a repeated request is answered with the event sent first. */
export async function putServerNotice(deps: Deps, request: PutServerNoticeRequest, context: HandlerContext) {
  const transaction = transactionKey(requester(context), request.txnId);
  const sent = await deps.rooms.findNotice(transaction);
  if (sent !== undefined) {
    // The content of a repeated request is not checked.
    waiveDeferred(context);
    return { eventId: sent };
  }
  raiseDeferred(context);
  const notice = await readNotice(deps, request);
  return { eventId: await deliverNotice(deps, { ...notice, transaction }) };
}
