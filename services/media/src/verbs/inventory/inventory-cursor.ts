import { refuse } from '@steward/errors';
import { isObject, own } from '@steward/kernel';
import type { Order, Position } from '../../core/inventory/read-page.ts';

/** The token of the page after a position. */
export function formatCursor({ field, direction }: Order, { value, id }: Position): string {
  return Buffer.from(JSON.stringify({ f: field, d: direction, v: value, i: id })).toString('base64url');
}

/**
 * Reads the token of a page.
 *
 * @throws refuse.invalidParam for any other text, and for the token of another order
 */
export function readCursor(token: string, order: Order): Position {
  const text = parse(Buffer.from(token, 'base64url').toString());
  const value = own(text, 'v');
  const id = own(text, 'i');
  const isValue = Number.isSafeInteger(value) || (value === null && order.field === 'last_access_ts');
  const isOfOrder = own(text, 'f') === order.field && own(text, 'd') === order.direction;
  if (!isValue || !isOfOrder || typeof id !== 'string' || !id.isWellFormed() || id.includes('\0'))
    throw refuse.invalidParam("'from' is not a token of this list");
  return { value: value as number | null, id };
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
