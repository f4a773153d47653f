import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { ownString } from '@steward/kernel';
import type { SendEventRequest } from '@steward/proto/steward/room/v1/events_pb.ts';
import { headers, requester } from '@steward/rpc';
import { append } from '../../core/aggregate/append.ts';
import type { Deps } from '../../core/deps.ts';
import { type EventDraft, parseContent, readingVersion } from '../../core/protocol/mod.ts';
import {
  findSentInto,
  inventEventId,
  type Transaction,
  transactionOf,
} from '../../core/reading/transaction.ts';
import { delayAsShadowBanned } from '../../core/refusals/delay-as-shadow-banned.ts';
import { refuseOverLimit } from '../../core/refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../../core/refusals/refuse-suspended.ts';
import { addChecked } from '../../core/sending/add-checked.ts';
import { addRedaction } from '../../core/sending/add-redaction.ts';
import { isOwnEvent } from '../../core/sending/is-own-event.ts';
import type { RoomView } from '../../core/view/room-view.ts';

const REDACTION = 'm.room.redaction';

/** Sends an event, once for each transaction (client-plane.md 7.10). */
export async function sendEvent(deps: Deps, request: SendEventRequest, context: HandlerContext) {
  const caller = requester(context);
  const { roomId, eventType: type, txnId } = request;
  const transaction = transactionOf(caller, ['send', roomId, type], txnId);
  const found = await findSentInto(deps, roomId, transaction);
  if (found.sent !== undefined) return { eventId: found.sent };
  const { unsentAt } = found;
  const redacts = type === REDACTION ? redactsOf(request.content) : undefined;
  const isOwn = redacts !== undefined && (await isOwnEvent(deps, caller, redacts));
  // Suspended users may redact what they wrote, as with the endpoint of its own.
  if (!isOwn) refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  if (type === 'm.room.member') throw refuse.unknown('Memberships are changed by state events');
  if (caller.shadowBanned) {
    await delayAsShadowBanned(deps);
    return { eventId: inventEventId(deps, transaction.key) };
  }
  (type === REDACTION && !isOwn ? deps.limits.adminRedaction : deps.limits.message).take(caller);
  const content = parseContent(request.content);
  const draft = { type, sender: caller.userId, content };
  const traceparent = context.requestHeader.get(headers.traceparent) ?? '';
  const add = async (view: RoomView) =>
    (await view.sentBy(transaction, unsentAt)) ?? addNew(deps, view, draft, transaction);
  const eventId = await append(deps, roomId, add, { traceparent });
  return { eventId };
}

/** The event that a redaction names; `undefined` for content that is refused later. */
function redactsOf(content: string): string | undefined {
  return ownString(JSON.parse(content), 'redacts');
}

async function addNew(
  deps: Deps,
  view: RoomView,
  draft: EventDraft,
  transaction: Transaction,
): Promise<string> {
  if (draft.type !== REDACTION) return addChecked(deps, view, draft, { transaction });
  const redacts = ownString(draft.content, 'redacts');
  if (redacts === undefined) throw refuse.missingParam("'redacts' is missing");
  const version = readingVersion(view.room.room_version);
  return addRedaction(deps, view, version.redactsInContent ? draft : { ...draft, redacts }, { transaction });
}
