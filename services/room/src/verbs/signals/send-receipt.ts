import { refuse } from '@steward/errors';
import type { SendReceiptRequest } from '@steward/proto/steward/room/v1/signals_pb.ts';

/** Accepts a receipt, which is not distributed (client-plane.md 7.10). */
export async function sendReceipt({ receiptType, threadId }: SendReceiptRequest) {
  if (threadId === '') throw refuse.invalidParam("'thread_id' is empty");
  if (threadId !== undefined && receiptType === 'm.fully_read') {
    throw refuse.invalidParam('m.fully_read is of the whole room, and of no thread');
  }
  return {};
}
