import { formatRoomToken, readToken, type Token } from '../protocol/mod.ts';
import type { Room } from './room.ts';

/** A place in a room's order of history, which is that of depth and then arrival: after this event. */
export interface Position {
  readonly depth: number;
  readonly arrival: number;
}

/** Which way history is read: backward or forward in time. */
export type Direction = 'b' | 'f';

/** Before everything that ever happened in a room. */
export const BEGINNING: Position = { depth: 0, arrival: 0 };

/** After everything that has happened in a room. */
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
 * Reads the token of a parameter; `undefined` where it is not there, or stands for no token.
 *
 * @throws refuse.unknown for what is no token
 */
export function readTokenParameter(text: string | undefined): Token | undefined {
  return text === undefined ? undefined : readToken(text);
}

/**
 * The position in a room's history that a token names; without one, where reading in a direction begins. What
 * is there may be purged by now, or may never have been there.
 */
export function positionOf(room: Room, token: Token | undefined, direction: Direction): Position {
  if (token?.kind === 'room') return token;
  const isBeginning = token ? token.position === 0 : direction === 'f';
  return isBeginning ? BEGINNING : endOf(room);
}
