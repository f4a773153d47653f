import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { SendReceiptRequest } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { FULLY_READ, type Receipt } from '../../core/model/receipt.ts';
import { markRead } from '../../core/receipts/mark-read.ts';

/** Moves a receipt of the caller forward (client-plane.md 7.10, 12). */
export async function sendReceipt(deps: Deps, request: SendReceiptRequest, context: HandlerContext) {
  const { roomId, eventId, receiptType, threadId } = request;
  const { userId } = requester(context);
  if (threadId === '') throw refuse.invalidParam("'thread_id' is empty");
  if (threadId !== undefined && receiptType === FULLY_READ) {
    throw refuse.invalidParam('m.fully_read is of the whole room, and of no thread');
  }
  // The contract allows no other type.
  const type = receiptType as Receipt['type'];
  await markRead(deps, { roomId, userId, eventId, type, thread_id: threadId ?? '' });
  return {};
}
