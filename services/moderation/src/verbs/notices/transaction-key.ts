import { createHash } from 'node:crypto';
import type { Requester } from '@steward/rpc';

/** The scope that separates the transactions of notices from all others. */
const PATH = 'send_server_notice';

/**
 * Returns the key of a transaction: two requests have the same key only if they have the same id, user and
 * device, or the same token if it has no device (behaviour.md 7.1).
 */
export function transactionKey({ userId, deviceId, tokenId }: Requester, txnId: string): string {
  const session = deviceId === undefined ? [userId, null, tokenId] : [userId, deviceId];
  return createHash('sha256')
    .update(JSON.stringify([PATH, session, txnId]))
    .digest('base64url');
}
