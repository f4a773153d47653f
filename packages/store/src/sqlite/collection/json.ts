import type { Doc } from '../../port/declaration.ts';
import type { Fields } from './apply-update.ts';

/** How `JSON.stringify` writes half a surrogate pair, if the backslash is not itself escaped. */
const MAYBE_LONE_SURROGATE = /\\ud[89a-f]/;

/** The text of a document, in which halves of surrogate pairs are U+FFFD, as in every UTF-8 text. */
export function writeDocument(document: Doc | Fields): string {
  if (typeof document._id !== 'string') throw new TypeError('A document needs an _id, which is a string');
  const text = JSON.stringify(document);
  if (!MAYBE_LONE_SURROGATE.test(text)) return text;
  return JSON.stringify(document, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value));
}

/** The top-level fields that a projection names beside `_id`; `undefined` where it names none, which means all. */
export function projectedFields(projection: object = {}): readonly string[] | undefined {
  const named = Object.entries(projection).flatMap(([field, included]) => (included ? [field] : []));
  return named.length === 0 ? undefined : named.filter((field) => field !== '_id');
}

/** A document with the top-level fields that a projection names. */
export function project<T extends Doc>(document: T, projection?: object): T {
  const named = projectedFields(projection);
  if (!named) return document;
  const fields = document as Doc & Fields;
  const picked: Fields = { _id: fields._id };
  for (const field of named) if (field in fields) picked[field] = fields[field];
  return picked as Fields as T;
}
