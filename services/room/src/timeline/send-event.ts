import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { type JsonObject, ownString } from '@steward/kernel';
import type { SendEventRequest } from '@steward/proto/steward/room/v1/events_pb.ts';
import { headers, requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { type EventDraft, readingVersion } from '../protocol/mod.ts';
import { append } from '../rooms/append.ts';
import { pretend } from '../rooms/pretend.ts';
import { refuseOverLimit } from '../rooms/refuse-over-limit.ts';
import { refuseSuspended } from '../rooms/refuse-suspended.ts';
import type { RoomView } from '../rooms/room-view.ts';
import { addChecked } from './add-checked.ts';
import { addRedaction } from './redact.ts';
import { findSentInto, inventEventId, type Transaction, transactionOf } from './transaction.ts';

/** Sends an event, once for each transaction (client-plane.md 7.10). */
export async function sendEvent(deps: Deps, request: SendEventRequest, context: HandlerContext) {
  const caller = requester(context);
  const { roomId, eventType: type, txnId } = request;
  const transaction = transactionOf(caller, ['send', roomId, type], txnId);
  const found = await findSentInto(deps, roomId, transaction);
  if (found.sent !== undefined) return { eventId: found.sent };
  const { unsentAt } = found;
  refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  if (type === 'm.room.member') throw refuse.unknown('Memberships are changed by state events');
  if (caller.shadowBanned) {
    await pretend(deps);
    return { eventId: inventEventId(deps, transaction.key) };
  }
  deps.limits.message.take(caller);
  const content = JSON.parse(request.content) as JsonObject;
  const draft = { type, sender: caller.userId, content };
  const traceparent = context.requestHeader.get(headers.traceparent) ?? '';
  const add = async (view: RoomView) =>
    (await view.sentBy(transaction, unsentAt)) ?? addNew(deps, view, draft, transaction);
  const eventId = await append(deps, roomId, add, { traceparent });
  return { eventId };
}

async function addNew(
  deps: Deps,
  view: RoomView,
  draft: EventDraft,
  transaction: Transaction,
): Promise<string> {
  if (draft.type !== 'm.room.redaction') return addChecked(deps, view, draft, { transaction });
  const redacts = ownString(draft.content, 'redacts');
  if (redacts === undefined) throw refuse.missingParam("'redacts' is missing");
  const version = readingVersion(view.room.room_version);
  return addRedaction(deps, view, version.redactsInContent ? draft : { ...draft, redacts }, { transaction });
}
