import { refuse } from '@steward/errors';

/** The place at which a page ends: the value that the order is by, and the id of its last row. */
export interface Place {
  readonly value: number;
  readonly id: string;
}

const TOKEN = /^([A-Za-z0-9_-]{1,1024})$/;

/**
 * The token of the page after a place.
 *
 * @param key the field that the order is by
 */
export function toToken({ value, id }: Place, key: string): string {
  return Buffer.from(JSON.stringify([key, value, id])).toString('base64url');
}

/**
 * Reads the token of a page.
 *
 * @param key the field that the order is by
 * @throws refuse.invalidParam for what is not a token of a list in that order
 */
export function fromToken(token: string | undefined, key: string): Place | undefined {
  if (token === undefined) return undefined;
  const invalid = () => refuse.invalidParam("'from' is not a next_token of this list");
  if (!TOKEN.test(token)) throw invalid();
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    throw invalid();
  }
  const [of, value, id, ...others] = Array.isArray(parsed) ? (parsed as readonly unknown[]) : [];
  const isPlace = Number.isSafeInteger(value) && typeof id === 'string' && others.length === 0;
  if (of !== key || !isPlace) throw invalid();
  return { value: value as number, id };
}

/** The size of a page. */
export function pageSize(requested: bigint | undefined, usual: number, most: number): number {
  if (requested === undefined) return usual;
  return requested > most ? most : Number(requested);
}
