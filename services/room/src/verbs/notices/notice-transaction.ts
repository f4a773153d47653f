import type { Transaction } from '../../core/reading/transaction.ts';

/** The transaction of a notice; shown to no session, because the caller is not the sender of the event. */
export function noticeTransaction(key: string): Transaction {
  return { key, txnId: '', session: '' };
}
