import type { Transaction } from '../../core/reading/transaction.ts';

/** The transaction of a notice. Whoever caused it did not send the event, so that no session is told of it. */
export function noticeTransaction(key: string): Transaction {
  return { key, txnId: '', session: '' };
}
