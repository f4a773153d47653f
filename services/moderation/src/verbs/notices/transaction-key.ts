import { createHash } from 'node:crypto';
import type { Requester } from '@steward/rpc';

/** What the transactions of notices have in common, and no other transaction has. */
const PATH = 'send_server_notice';

/**
 * The key of a transaction: two requests have the same one only if they have the same id, by the same user on
 * the same device, or with the same token where it has no device (behaviour.md 7.1).
 */
export function transactionKey({ userId, deviceId, tokenId }: Requester, txnId: string): string {
  const session = deviceId === undefined ? [userId, null, tokenId] : [userId, deviceId];
  return createHash('sha256')
    .update(JSON.stringify([PATH, session, txnId]))
    .digest('base64url');
}
