import { refuse } from '@steward/errors';
import { readListToken, writeListToken } from '@steward/kernel';

/** The place at which a page ends: the value that the order is by, and the id of its last row. */
export interface Place {
  readonly value: number;
  readonly id: string;
}

/**
 * The token of the page after a place.
 *
 * @param key the field that the order is by
 */
export function toToken({ value, id }: Place, key: string): string {
  return writeListToken([key, value, id]);
}

/**
 * Reads the token of a page.
 *
 * @param key the field that the order is by
 * @throws refuse.invalidParam for what is not a token of a list in that order
 */
export function fromToken(token: string | undefined, key: string): Place | undefined {
  if (token === undefined) return undefined;
  const [of, value, id, ...others] = readListToken(token);
  const isPlace = Number.isSafeInteger(value) && typeof id === 'string' && others.length === 0;
  if (of !== key || !isPlace) throw refuse.invalidParam("'from' is not a next_token of this list");
  return { value: value as number, id };
}

/** The size of a page. */
export function pageSize(requested: bigint | undefined, usual: number, most: number): number {
  if (requested === undefined) return usual;
  return requested > most ? most : Number(requested);
}
