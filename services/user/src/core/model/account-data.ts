import { digestOf } from '@steward/kernel';
import { type Aggregate, declareAggregate } from '@steward/service';
import { declareCollection, firstId } from '@steward/store';

/** An object of account data, which a client stores. */
export interface AccountData {
  /** See `accountDataId`. */
  _id: string;
  user_id: string;
  /** The room that it is stored for; empty for the account as a whole. */
  room_id: string;
  type: string;
  /** A JSON object; of the push rules, what differs from the default ones. */
  content: string;
  /** Its size, see `sizeOf`. */
  bytes: number;
  /** Rises by one with each change. */
  version: number;
  /** The position of its last change among all of the account's; 0 until it is announced. */
  position: number;
  /** The account's session epoch when it was last changed. */
  epoch: number;
}

/**
 * The order of the changes of an account's data. It stays when the account is emptied, so that no position is ever
 * assigned twice.
 */
export interface AccountDataStream extends Aggregate {
  /** The user id. */
  _id: string;
  /** The position of the last change. Once nothing is pending, all documents changed up to it have their positions. */
  version: number;
  /** The total size of the account's data, see `sizeOf`; too high after a crash of a process that reserved space. */
  bytes: number;
  /** The number of the account's objects, as `bytes` is their size; absent until those of an earlier version are counted. */
  entries?: number;
  /** When they were last counted again, in milliseconds since the Unix epoch; absent until then. */
  counted_ts?: number;
  /** When space was last reserved, in milliseconds since the Unix epoch. */
  reserved_ts?: number;
}

/** Names an object: its type, and the room that it is stored for; no room for the account as a whole. */
export interface AccountDataName {
  readonly roomId: string;
  readonly type: string;
}

/** The `roomId` of data of the account as a whole. */
export const GLOBAL = '';

/** The type of the push rules. */
export const PUSH_RULES = 'm.push_rules';

/** The type of a room's tags. */
export const TAGS = 'm.tag';

/** The longest type or room id, in bytes (client-plane.md 3). */
export const MAX_NAME_BYTES = 255;

/** The size that each object counts in addition to its text, in bytes; it limits the number of objects. */
const OVERHEAD_BYTES = 1024;

/** The key of an object's document. Types may be long and hold any character, so they are hashed. */
export function accountDataId(userId: string, { roomId, type }: AccountDataName): string {
  return `${userId} ${digestOf([roomId, type]).toString('base64url')}`;
}

/** The size of an object that counts towards the account's limit, in bytes. */
export function sizeOf({ roomId, type }: AccountDataName, content: string): number {
  return OVERHEAD_BYTES + Buffer.byteLength(roomId) + Buffer.byteLength(type) + Buffer.byteLength(content);
}

/** Account data that clients store, including push rules. */
export const accountData = declareCollection<AccountData>({
  name: 'user.account_data',
  shardKey: 'user_id',
  shardKeyOfId: firstId,
  indexes: [
    {
      name: 'by_name',
      keys: [
        ['user_id', 1],
        ['room_id', 1],
        ['type', 1],
      ],
    },
    {
      name: 'by_position',
      keys: [
        ['user_id', 1],
        ['position', 1],
      ],
    },
    { name: 'of_room', keys: [['room_id', 1]] },
  ],
});

/** The order of changes of account data, by user id. */
export const accountDataStreams = declareAggregate<
  AccountDataStream,
  'bytes' | 'entries' | 'counted_ts' | 'reserved_ts'
>({
  name: 'user.account_data_streams',
  shardKey: '_id',
  // Space is reserved and released without a change of the order.
  unversioned: ['bytes', 'entries', 'counted_ts', 'reserved_ts'],
  indexes: [],
});
