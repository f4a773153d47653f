import { digestOf } from '@steward/kernel';
import { type Aggregate, declareAggregate } from '@steward/service';
import { type Doc, declareCollection, firstId } from '@steward/store';

/** The types of receipts that sync delivers. */
export const RECEIPT_TYPES = ['m.read', 'm.read.private'] as const;
export type ReceiptType = (typeof RECEIPT_TYPES)[number];

/** The type of the marker that is account data of the room, and that only its user's clients receive. */
export const FULLY_READ = 'm.fully_read';

/** How far a user has read a room, or one of its threads. */
export interface Receipt extends Doc {
  /** See `receiptId`. */
  readonly _id: string;
  readonly room_id: string;
  readonly user_id: string;
  readonly type: ReceiptType | typeof FULLY_READ;
  /** The id of the event that begins the thread, or `main`; empty for the room as a whole. */
  readonly thread_id: string;
  /** The last event that was read, and its arrival, which only rises. */
  readonly event_id: string;
  readonly arrival: number;
  /** When the user has read it, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** Its position among the receipts of the room; 0 until it is announced. */
  readonly position: number;
  /** The arrival that was last announced. */
  readonly announced: number;
}

/** The order of the receipts of a room. */
export interface ReceiptStream extends Aggregate {
  /** The room id. */
  readonly _id: string;
  /** The last position. Once nothing is pending, all receipts up to it have their positions. */
  readonly version: number;
}

/** Names a receipt of a room. */
export type ReceiptName = Pick<Receipt, 'user_id' | 'type' | 'thread_id'>;

/** The key of a receipt. Room ids contain no space. */
export function receiptId(roomId: string, { user_id, type, thread_id }: ReceiptName): string {
  return `${roomId} ${digestOf([user_id, type, thread_id]).toString('base64url')}`;
}

/** Receipts, by room. */
export const receipts = declareCollection<Receipt>({
  name: 'room.receipts',
  shardKey: 'room_id',
  shardKeyOfId: firstId,
  indexes: [
    {
      name: 'by_position',
      keys: [
        ['room_id', 1],
        ['position', 1],
      ],
    },
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['room_id', 1],
      ],
    },
  ],
});

/** The order of the receipts of each room. */
export const receiptStreams = declareAggregate<ReceiptStream>({
  name: 'room.receipt_streams',
  shardKey: '_id',
  indexes: [],
});
