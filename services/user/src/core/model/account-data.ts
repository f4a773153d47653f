import { createHash } from 'node:crypto';
import { type Aggregate, declareAggregate } from '@steward/service';
import { declareCollection } from '@steward/store';

/** An object that a client keeps with its account. */
export interface AccountData {
  /** See `accountDataId`. */
  _id: string;
  user_id: string;
  /** The room that it is kept for; empty for the account as a whole. */
  room_id: string;
  type: string;
  /** A JSON object; of the push rules, what differs from the default ones. */
  content: string;
  /** What it takes of the account's share, see `sizeOf`. */
  bytes: number;
  /** Rises by one with each change. */
  version: number;
  /** Where the last change stands among all of the account's; 0 until it is announced. */
  position: number;
  /** The account's session epoch when it was last changed. */
  epoch: number;
}

/**
 * The order of the changes of an account's data. It stays when the account is emptied, so that no position is ever
 * given twice.
 */
export interface AccountDataStream extends Aggregate {
  /** The user id. */
  _id: string;
  /** The position of the last change: whatever has changed up to it carries its position, once nothing is pending. */
  version: number;
  /** What the account's data take together, see `sizeOf`; too much where a process crashed that had taken room. */
  bytes: number;
  /** When that was last counted, in milliseconds since the Unix epoch; absent until it is. */
  counted_ts?: number;
}

/** Names an object: its type, and the room that it is kept for; no room for the account as a whole. */
export interface AccountDataName {
  readonly roomId: string;
  readonly type: string;
}

/** The `roomId` of what is kept for the account as a whole. */
export const GLOBAL = '';

/** The type under which the push rules are kept. */
export const PUSH_RULES = 'm.push_rules';

/** The type under which a room's tags are kept. */
export const TAGS = 'm.tag';

/** As much as a type or a room id may have, in bytes (client-plane.md 3). */
export const MAX_NAME_BYTES = 255;

/** What each object counts for beside its text, in bytes, which bounds how many there are. */
const OVERHEAD_BYTES = 1024;

/** The key of an object's document. Types hold any character and are long, so they are hashed. */
export function accountDataId(userId: string, { roomId, type }: AccountDataName): string {
  return `${userId} ${createHash('sha256')
    .update(JSON.stringify([roomId, type]))
    .digest('base64url')}`;
}

/** What an object takes of the account's share, in bytes. */
export function sizeOf({ roomId, type }: AccountDataName, content: string): number {
  return OVERHEAD_BYTES + Buffer.byteLength(roomId) + Buffer.byteLength(type) + Buffer.byteLength(content);
}

/** What clients keep with their accounts; the push rules among it. */
export const accountData = declareCollection<AccountData>({
  name: 'user.account_data',
  shardKey: 'user_id',
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
export const accountDataStreams = declareAggregate<AccountDataStream, 'bytes' | 'counted_ts'>({
  name: 'user.account_data_streams',
  shardKey: '_id',
  // Room is taken and given back without a change of the order.
  unversioned: ['bytes', 'counted_ts'],
  indexes: [],
});
