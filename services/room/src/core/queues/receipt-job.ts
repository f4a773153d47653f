import type { Job } from './room-queues.ts';

/** A receipt that was written, and waits for its position. */
export interface ReceiptJob extends Job {
  /** The key of the receipt. */
  readonly receipt: string;
  /** The arrival up to which it is announced. */
  readonly arrival: number;
  resolve(): void;
}
