import { refuse } from '@steward/errors';
import { readListToken, writeListToken } from '@steward/kernel';

/** A position next to a room in the directory, which is ordered from the largest room to the smallest. */
export interface DirectoryCursor {
  /** Whether the page after the room is requested, or the page before it. */
  readonly direction: 'f' | 'b';
  readonly joinedMembers: number;
  readonly roomId: string;
}

/** The token of a cursor. */
export function formatDirectoryCursor({ direction, joinedMembers, roomId }: DirectoryCursor): string {
  return writeListToken([direction, joinedMembers, roomId]);
}

/**
 * Reads the token of a cursor.
 *
 * @throws refuse.invalidParam for any other text
 */
export function readDirectoryCursor(token: string): DirectoryCursor {
  const [direction, joinedMembers, roomId] = readListToken(token);
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
