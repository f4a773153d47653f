import { refuse } from '@steward/errors';
import { readListToken, writeListToken } from '@steward/kernel';

/** The position after a blocked room in the list, which is ordered by the times of the blocks, then by room id. */
export interface BlockedCursor {
  /** Milliseconds since the Unix epoch. */
  readonly blockedTs: number;
  readonly roomId: string;
}

/** The token of a cursor. */
export function formatBlockedCursor({ blockedTs, roomId }: BlockedCursor): string {
  return writeListToken([blockedTs, roomId]);
}

/**
 * Reads the token of a cursor.
 *
 * @throws refuse.invalidParam for any other text
 */
export function readBlockedCursor(token: string): BlockedCursor {
  const [blockedTs, roomId, ...others] = readListToken(token);
  const isId = typeof roomId === 'string' && roomId.isWellFormed() && !roomId.includes('\0');
  if (Number.isSafeInteger(blockedTs) && isId && others.length === 0) {
    return { blockedTs: blockedTs as number, roomId };
  }
  throw refuse.invalidParam("'from' is not a token of this list");
}
