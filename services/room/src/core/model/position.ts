import { formatRoomToken, readToken, type Token } from '../protocol/mod.ts';
import type { Room } from './room.ts';

/** A position in a room's history, which is ordered by depth and then arrival: right after the event at both. */
export interface Position {
  readonly depth: number;
  readonly arrival: number;
}

/** The direction in which history is read: backward or forward in time. */
export type Direction = 'b' | 'f';

/** The position before all events of a room. */
export const BEGINNING: Position = { depth: 0, arrival: 0 };

/** The position after all events of a room. */
export function endOf({ depth, arrival }: Room): Position {
  return { depth, arrival };
}

/** The position right before an event. */
export function before({ depth, arrival }: Position): Position {
  return { depth, arrival: arrival - 1 };
}

/** The token of a position. */
export function formatPosition({ depth, arrival }: Position): string {
  return formatRoomToken(depth, arrival);
}

/**
 * Reads the token of a parameter; `undefined` if the parameter is absent, empty or `END`.
 *
 * @throws refuse.unknown for an invalid token
 */
export function readTokenParameter(text: string | undefined): Token | undefined {
  return text === undefined || text === '' ? undefined : readToken(text);
}

/**
 * The position in a room's history that a token names; without a token, the position at which reading in the direction
 * begins. The event at the position may have been purged, or may never have existed.
 */
export function positionOf(room: Room, token: Token | undefined, direction: Direction): Position {
  if (token?.kind === 'room') return token;
  const isBeginning = token ? token.position === 0 : direction === 'f';
  return isBeginning ? BEGINNING : endOf(room);
}
