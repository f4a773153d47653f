import { refuse } from '@steward/errors';
import { isObject, own } from '@steward/kernel';

/** A position next to a room in the directory, which is ordered from the largest room to the smallest. */
export interface DirectoryCursor {
  /** Whether the page after the room is requested, or the page before it. */
  readonly direction: 'f' | 'b';
  readonly joinedMembers: number;
  readonly roomId: string;
}

/** The token of a cursor. */
export function formatDirectoryCursor({ direction, joinedMembers, roomId }: DirectoryCursor): string {
  const text = JSON.stringify({ d: direction, n: joinedMembers, r: roomId });
  return Buffer.from(text).toString('base64url');
}

/**
 * Reads the token of a cursor.
 *
 * @throws refuse.invalidParam for any other text
 */
export function readDirectoryCursor(token: string): DirectoryCursor {
  const value = parse(Buffer.from(token, 'base64url').toString());
  const direction = own(value, 'd');
  const joinedMembers = own(value, 'n');
  const roomId = own(value, 'r');
  if (
    (direction === 'f' || direction === 'b') &&
    Number.isSafeInteger(joinedMembers) &&
    typeof roomId === 'string' &&
    roomId.isWellFormed() &&
    !roomId.includes('\0')
  ) {
    return { direction, joinedMembers: joinedMembers as number, roomId };
  }
  throw refuse.invalidParam("'since' is not a token");
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
