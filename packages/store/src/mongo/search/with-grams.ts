import type { Doc } from '../../port/declaration.ts';
import { GRAMS, gramsOf } from './grams.ts';

/** A document with the grams of its search fields. */
export function withGrams<T extends Doc>(document: T, search: readonly string[]): T {
  if (search.length === 0) return document;
  const fields = document as object as Readonly<Record<string, unknown>>;
  const grams = search.flatMap((field) => {
    const text = fields[field];
    return typeof text === 'string' ? [[field, gramsOf(text)]] : [];
  });
  return { ...document, [GRAMS]: Object.fromEntries(grams) };
}
