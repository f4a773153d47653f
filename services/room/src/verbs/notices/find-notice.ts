import type { FindNoticeRequest } from '@steward/proto/steward/room/v1/notices_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { findSent } from '../../core/reading/transaction.ts';
import { noticeTransaction } from './notice-transaction.ts';

/** Finds the notice that a transaction has sent, for as long as the event is stored. */
export async function findNotice(deps: Pick<Deps, 'events'>, { transaction }: FindNoticeRequest) {
  const eventId = await findSent(deps, noticeTransaction(transaction));
  return eventId === undefined ? {} : { eventId };
}
