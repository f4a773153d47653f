import { refuse } from '@steward/errors';

/** A position in a room's history: after the event with this depth and arrival. */
export interface RoomToken {
  readonly kind: 'room';
  readonly depth: number;
  readonly arrival: number;
}

/** A position in sync: the number of a stored cursor. */
export interface SyncToken {
  readonly kind: 'sync';
  readonly position: number;
}

/** A token that a client received (client-plane.md 10.1). */
export type Token = RoomToken | SyncToken;

/** The longest token that is read; longer than any token that was ever issued. */
const TOKEN_MAX_CHARS = 255;

/** The tail after `_` holds the positions of other streams, and may be any text. */
const ROOM_TOKEN = /^t([0-9]+)-([0-9]+)(?:_[^/\s]*)?$/;
const SYNC_TOKEN = /^s([0-9]+)(?:_[^/\s]*)?$/;

/** What old clients send instead of omitting the token. */
const NO_TOKEN = 'END';

/**
 * Reads a token; `undefined` for `END`, which stands for an absent token.
 *
 * @throws refuse.unknown for an invalid token
 */
export function readToken(text: string): Token | undefined {
  if (text === NO_TOKEN) return undefined;
  const token = text.length <= TOKEN_MAX_CHARS ? parse(text) : undefined;
  if (token === undefined) throw refuse.unknown('This is not a token');
  return token;
}

/** The token of a position in a room's history. */
export function formatRoomToken(depth: number, arrival: number): string {
  return `t${depth}-${arrival}`;
}

/** The token of a stored cursor of sync. */
export function formatSyncToken(position: number): string {
  return `s${position}`;
}

function parse(text: string): Token | undefined {
  const [depth, arrival] = numbersOf(ROOM_TOKEN, text);
  if (depth !== undefined && arrival !== undefined) return { kind: 'room', depth, arrival };
  const [position] = numbersOf(SYNC_TOKEN, text);
  return position === undefined ? undefined : { kind: 'sync', position };
}

/** The numbers that a pattern captures; empty if one of them is not a safe integer. */
function numbersOf(pattern: RegExp, text: string): readonly number[] {
  const numbers = (pattern.exec(text) ?? []).slice(1).map(Number);
  return numbers.every(Number.isSafeInteger) ? numbers : [];
}
