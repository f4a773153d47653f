import { type Doc, declareCollection, firstId } from '@steward/store';
import type { Delivery } from '../../peers/account-feeds.ts';
import { formatSyncToken } from '../protocol/mod.ts';

/** The membership of a user in a room, as a client knows it. */
export type KnownMembership = 'join' | 'invite' | 'knock' | 'leave';

/** What a client knows of a room. */
export interface Known {
  readonly membership: KnownMembership;
  /** The arrival of the last event that the client knows. */
  readonly arrival: number;
  /** Of a room that was left: the number of the user's last membership epoch, see `MemberDocument.stay`. */
  readonly stay?: number;
  /** Of a joined room: the position of the last receipt that the client knows; absent for none. */
  readonly receipts?: number;
  /** Of a joined room: a number for those whom the client knows to be typing; absent if no user is typing. */
  readonly typing?: number;
}

/** What a client knows at a token of sync. */
export interface Cursor {
  readonly rooms: ReadonlyMap<string, Known>;
  /** The position in the stream of account data; undefined if the client knows none. */
  readonly accountData: number | undefined;
  /** The messages between devices in the response that had the token; undefined if there were none. */
  readonly delivery?: Delivery | undefined;
  /** The position in the stream of changes of keys; undefined if the client knows none. */
  readonly keys?: number | undefined;
  /** The stored cursor that the token names. */
  readonly stored: StoredCursor | undefined;
}

/** A stored cursor; a token names it, and may add the client's progress since. */
export interface StoredCursor extends Doc {
  /** See `cursorId`. */
  readonly _id: string;
  readonly user_id: string;
  /** The session of the client, see `sessionOf`. */
  readonly session: string;
  /** Increases within a session. */
  readonly number: number;
  /** Milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** Whether it is kept after it was superseded, for a client that returns with an old token. */
  readonly milestone: boolean;
  readonly account_data: number;
  /** See `Cursor.delivery`. */
  readonly delivery?: Delivery;
  /** See `Cursor.keys`. */
  readonly keys?: number;
  /** The rooms as JSON text, see `writeRooms`; room ids contain dots, which are not allowed in field names. */
  readonly rooms: string;
  /** What the client knows of receipts and typing as JSON text, see `writeEphemeral`; absent for nothing. */
  readonly ephemeral?: string;
}

/** The cursor of a client that knows nothing. */
export const NOTHING: Cursor = { rooms: new Map(), accountData: undefined, stored: undefined };

/** The key of a stored cursor; unambiguous, because a server name contains no space. */
export function cursorId(userId: string, number: number): string {
  return `${userId} ${number}`;
}

type WrittenRoom = readonly [roomId: string, membership: KnownMembership, arrival: number, stay?: number];

/** The stored form of rooms, which keeps their order. */
export function writeRooms(rooms: ReadonlyMap<string, Known>): string {
  const written = [...rooms].map(
    ([roomId, { membership, arrival, stay }]): WrittenRoom =>
      stay === undefined ? [roomId, membership, arrival] : [roomId, membership, arrival, stay],
  );
  return JSON.stringify(written);
}

type WrittenEphemeral = readonly [index: number, receipts: number, typing?: number];

/** The stored form of what a client knows of receipts and typing, by the index of the room; absent for nothing. */
export function writeEphemeral(rooms: ReadonlyMap<string, Known>): { readonly ephemeral?: string } {
  const written = [...rooms.values()].flatMap(({ receipts = 0, typing }, index): WrittenEphemeral[] => {
    if (typing !== undefined) return [[index, receipts, typing]];
    return receipts === 0 ? [] : [[index, receipts]];
  });
  return written.length > 0 ? { ephemeral: JSON.stringify(written) } : {};
}

/** Converts a stored cursor. */
export function readStored(stored: StoredCursor): Cursor {
  const ephemeral = new Map(
    (JSON.parse(stored.ephemeral ?? '[]') as readonly WrittenEphemeral[]).map(([index, ...known]) => [
      index,
      known,
    ]),
  );
  const rooms = (JSON.parse(stored.rooms) as readonly WrittenRoom[]).map(
    ([roomId, membership, arrival, stay], index) => {
      const [receipts, typing] = ephemeral.get(index) ?? [];
      const known = { membership, arrival, ...(stay === undefined ? {} : { stay }) };
      return [roomId, withEphemeral(known, receipts, typing)] as const;
    },
  );
  const { account_data: accountData, delivery, keys } = stored;
  return { rooms: new Map(rooms), accountData, delivery, keys, stored };
}

/** A room with what a client knows of its receipts and of who is typing; 0 for nothing. */
function withEphemeral({ receipts: _, typing: __, ...known }: Known, receipts = 0, typing = 0): Known {
  return {
    ...known,
    ...(receipts === 0 ? {} : { receipts }),
    ...(typing === 0 ? {} : { typing }),
  };
}

/** The longest token that clients and proxies accept in a URL. */
const TOKEN_MAX_CHARS = 200;

/** The radix of the numbers in tokens. */
const RADIX = 36;
const TAIL =
  /^s[0-9]+_[0-9a-z]{1,11}(?:~[0-9a-z]{1,11})?(?:-[0-9a-z]{1,11}-[0-9a-z]{1,11})?(?:_[0-9a-z]{1,11}(?:\.[0-9a-z]{1,11}){1,3})*$/;

/**
 * The token of a cursor that has advanced since it was stored; contains the progress. `undefined` if the progress does
 * not fit, or rooms or memberships have changed.
 */
export function tokenOf({ rooms, accountData = 0, delivery, keys, stored }: Cursor): string | undefined {
  if (!stored) return undefined;
  const before = [...readStored(stored).rooms];
  if (before.length !== rooms.size) return undefined;
  const moved: string[] = [];
  for (const [index, [roomId, known]] of before.entries()) {
    const now = rooms.get(roomId);
    if (now?.membership !== known.membership) return undefined;
    const progress = progressOf(known, now);
    if (progress.length === 0) continue;
    if (now.membership !== 'join') return undefined;
    moved.push(`_${[index, ...progress].map((number) => number.toString(RADIX)).join('.')}`);
  }
  const token = formatSyncToken(stored.number);
  const isNew = delivery !== undefined && delivery.response !== stored.delivery?.response;
  const isKnown = keys === stored.keys;
  if (moved.length === 0 && accountData === stored.account_data && !isNew && isKnown) return token;
  const delivered = isNew ? `-${delivery.response.toString(RADIX)}-${delivery.sent.toString(RADIX)}` : '';
  const keyed = keys === undefined || isKnown ? '' : `~${keys.toString(RADIX)}`;
  const whole = `${token}_${accountData.toString(RADIX)}${keyed}${delivered}${moved.join('')}`;
  return whole.length <= TOKEN_MAX_CHARS ? whole : undefined;
}

/** The numbers by which a client knows more of a room, as far as they differ: the arrival, the receipts, who is typing. */
function progressOf(before: Known, now: Known): readonly number[] {
  const { arrival, receipts = 0, typing = 0 } = now;
  if (typing !== (before.typing ?? 0)) return [arrival, receipts, typing];
  if (receipts !== (before.receipts ?? 0)) return [arrival, receipts];
  return arrival === before.arrival ? [] : [arrival];
}

/** Advances a stored cursor by the progress in a token; ignores a tail that is invalid or goes back. */
export function advance(cursor: Cursor, token: string): Cursor {
  if (!TAIL.test(token)) return cursor;
  const [, ofAccount = '', ...moved] = token.split('_');
  const rooms = new Map(cursor.rooms);
  const order = [...rooms];
  for (const entry of moved) {
    const numbers = numbersOf(entry.split('.'));
    const [index = -1, arrival = 0, receipts = 0, typing] = numbers;
    const [roomId, known] = order[index] ?? [];
    if (roomId === undefined || known?.membership !== 'join') return cursor;
    if (!numbers.every(Number.isSafeInteger)) return cursor;
    const moved = { ...known, arrival: Math.max(known.arrival, arrival) };
    rooms.set(roomId, withEphemeral(moved, Math.max(known.receipts ?? 0, receipts), typing ?? known.typing));
  }
  const [ofData = '', ...delivered] = ofAccount.split('-');
  const [position = 0, keys] = numbersOf(ofData.split('~'));
  const [response, sent] = numbersOf(delivered);
  if (![position, keys ?? 0, response ?? 0, sent ?? 0].every(Number.isSafeInteger)) return cursor;
  return {
    ...cursor,
    rooms,
    accountData: Math.max(cursor.accountData ?? 0, position),
    keys: keys === undefined ? cursor.keys : Math.max(cursor.keys ?? 0, keys),
    delivery: response === undefined || sent === undefined ? undefined : { response, sent },
  };
}

function numbersOf(parts: readonly string[]): readonly number[] {
  return parts.map((digits) => Number.parseInt(digits, RADIX));
}

/** The stored cursors of sync, by user and number. */
export const cursors = declareCollection<StoredCursor>({
  name: 'room.cursors',
  shardKey: 'user_id',
  shardKeyOfId: firstId,
  indexes: [
    {
      name: 'by_session',
      keys: [
        ['user_id', 1],
        ['session', 1],
        ['number', 1],
      ],
    },
    { name: 'created', keys: [['created_ts', 1]] },
  ],
});
