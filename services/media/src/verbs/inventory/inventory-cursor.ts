import { refuse } from '@steward/errors';
import { readListToken, writeListToken } from '@steward/kernel';
import type { Order, Position } from '../../core/inventory/read-page.ts';

/** The token of the page after a position. */
export function formatCursor({ field, direction }: Order, { value, id }: Position): string {
  return writeListToken([field, direction, value, id]);
}

/**
 * Reads the token of a page.
 *
 * @throws refuse.invalidParam for any other text, and for the token of another order
 */
export function readCursor(token: string, order: Order): Position {
  const [field, direction, value, id] = readListToken(token);
  const isValue = Number.isSafeInteger(value) || (value === null && order.field === 'last_access_ts');
  const isOfOrder = field === order.field && direction === order.direction;
  if (!isValue || !isOfOrder || typeof id !== 'string' || !id.isWellFormed() || id.includes('\0'))
    throw refuse.invalidParam("'from' is not a token of this list");
  return { value: value as number | null, id };
}
