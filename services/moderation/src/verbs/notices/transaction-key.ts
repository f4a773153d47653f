import { digestOf } from '@steward/kernel';
import { hasAccount, type Requester } from '@steward/rpc';

/** The scope that separates the transactions of notices from all others. */
const PATH = 'send_server_notice';

/**
 * Returns the key of a transaction: two requests have the same key only if they have the same id, user and
 * device, or the same access token if it has no device (behaviour.md 7.1).
 */
export function transactionKey(caller: Requester, txnId: string): string {
  const { userId, deviceId, tokenId } = caller;
  // The secret of a caller without an account may change between two attempts.
  const session =
    deviceId === undefined && hasAccount(caller) ? [userId, null, tokenId] : [userId, deviceId ?? null];
  return digestOf([PATH, session, txnId]).toString('base64url');
}
