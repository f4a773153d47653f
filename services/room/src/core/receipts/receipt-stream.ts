import { type AggregateDeps, defineAggregate, type PendingEffect } from '@steward/service';
import type { Deps } from '../deps.ts';
import type { ReceiptStream } from '../model/receipt.ts';
import type { ReceiptJob } from '../queues/receipt-job.ts';

/** The pending effect of a change: the receipt has yet to get its position. */
interface Announcement extends PendingEffect {
  readonly kind: 'read';
  /** The key of the receipt. */
  readonly receipt: string;
  /** The arrival up to which it is announced. */
  readonly arrival: number;
  readonly position: number;
}

/** The dependencies of the functions below. */
export type StreamDeps = AggregateDeps & Pick<Deps, 'receipts' | 'receiptStreams'>;

/** The aggregate that orders the receipts of a room. */
export const receiptAggregate = defineAggregate<ReceiptStream, Announcement, StreamDeps>({
  collection: (deps) => deps.receiptStreams,
  effects: {
    async read(deps, _, announcements) {
      const operations = announcements.map(({ receipt, arrival, position }) => ({
        updateOne: { filter: { _id: receipt }, update: { $max: { position, announced: arrival } } },
      }));
      await deps.receipts.bulkWrite(operations);
    },
  },
});

/** The most receipts of one commit; fewer than the effects that may be pending. */
const MAX_TOGETHER = 32;

/** Gives the first receipts of a queue their position in one commit; returns the remaining ones. */
export async function announceReceipts(
  deps: StreamDeps,
  roomId: string,
  jobs: readonly ReceiptJob[],
): Promise<readonly ReceiptJob[]> {
  const first = jobs.slice(0, MAX_TOGETHER);
  await receiptAggregate.changeOrCreate(deps, { _id: roomId, version: 0 }, ({ version }) => ({
    effects: first.map(({ receipt, arrival }) => ({
      kind: 'read',
      receipt,
      arrival,
      position: version + 1,
    })),
  }));
  for (const { resolve } of first) resolve();
  return jobs.slice(MAX_TOGETHER);
}
