import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { own } from '@steward/kernel';
import type { RedactRequest } from '@steward/proto/steward/room/v1/events_pb.ts';
import { headers, requester } from '@steward/rpc';
import { append } from '../../core/aggregate/append.ts';
import type { Deps } from '../../core/deps.ts';
import { parseContent, readingVersion } from '../../core/protocol/mod.ts';
import { findSent, inventEventId, transactionOf } from '../../core/reading/transaction.ts';
import { delayAsShadowBanned } from '../../core/refusals/delay-as-shadow-banned.ts';
import { refuseOverLimit } from '../../core/refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../../core/refusals/refuse-suspended.ts';
import { addRedaction } from '../../core/sending/add-redaction.ts';
import { isOwnEvent } from '../../core/sending/is-own-event.ts';

/** Redacts an event, once for each transaction (client-plane.md 7.10). */
export async function redact(deps: Deps, request: RedactRequest, context: HandlerContext) {
  const caller = requester(context);
  const { roomId, eventId: target, txnId } = request;
  const transaction = transactionOf(caller, ['redact', roomId, target], txnId);
  const sent = await findSent(deps, transaction);
  if (sent !== undefined) return { eventId: sent };
  const isOwn = await isOwnEvent(deps, caller, target);
  // Suspended users may redact what they wrote.
  if (!isOwn) refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  if (caller.shadowBanned) {
    await delayAsShadowBanned(deps);
    return { eventId: inventEventId(deps, transaction.key) };
  }
  const content = parseContent(request.content);
  const stated = own(content, 'redacts');
  if (stated !== undefined && stated !== target) {
    throw refuse.invalidParam("'redacts' names another event than the path");
  }
  (isOwn ? deps.limits.message : deps.limits.adminRedaction).take(caller);
  const eventId = await append(
    deps,
    roomId,
    async (view) => {
      const before = await view.sentBy(transaction);
      if (before !== undefined) return before;
      const { redactsInContent } = readingVersion(view.room.room_version);
      const draft = { type: 'm.room.redaction', sender: caller.userId, content };
      return addRedaction(
        deps,
        view,
        redactsInContent
          ? { ...draft, content: { ...content, redacts: target } }
          : { ...draft, redacts: target },
        { transaction },
      );
    },
    { traceparent: context.requestHeader.get(headers.traceparent) ?? '' },
  );
  return { eventId };
}
