import { refuse } from '@steward/errors';

/** A place in a room's order of history: after the event of that depth and arrival. */
export interface RoomToken {
  readonly kind: 'room';
  readonly depth: number;
  readonly arrival: number;
}

/** A place in the order of arrival of everything: the number of a stored cursor of sync. */
export interface SyncToken {
  readonly kind: 'sync';
  readonly position: number;
}

/** A position that a client was told (client-plane.md 10.1). */
export type Token = RoomToken | SyncToken;

/** Longer than any token that was ever told; also keeps the tail from being endless. */
const TOKEN_MAX_CHARS = 255;

/** What follows the numbers of steward names the positions of other streams, and may be anything. */
const ROOM_TOKEN = /^t([0-9]+)-([0-9]+)(?:_[^/\s]*)?$/;
const SYNC_TOKEN = /^s([0-9]+)(?:_[^/\s]*)?$/;

/** What old clients say for no token at all. */
const NO_TOKEN = 'END';

/**
 * Reads a token; `undefined` for `END`, which stands for none.
 *
 * @throws refuse.unknown for what is no token
 */
export function readToken(text: string): Token | undefined {
  if (text === NO_TOKEN) return undefined;
  const token = text.length <= TOKEN_MAX_CHARS ? parse(text) : undefined;
  if (token === undefined) throw refuse.unknown('This is no token');
  return token;
}

/** The token of a place in a room. */
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

/** The numbers that a pattern captures, unless one of them is too large to be one. */
function numbersOf(pattern: RegExp, text: string): readonly number[] {
  const numbers = (pattern.exec(text) ?? []).slice(1).map(Number);
  return numbers.every(Number.isSafeInteger) ? numbers : [];
}
