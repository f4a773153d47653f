import type { Doc } from '../declaration.ts';
import type { Fields } from './apply-update.ts';

/** What `JSON.stringify` makes of half a surrogate pair, unless the backslash is itself escaped. */
const MAYBE_LONE_SURROGATE = /\\ud[89a-f]/;

/** The text of a document. Halves of surrogate pairs become U+FFFD, as they do in every UTF-8 text. */
export function writeDocument(document: Doc | Fields): string {
  if (typeof document._id !== 'string') throw new TypeError('A document needs an _id, which is a string');
  const text = JSON.stringify(document);
  if (!MAYBE_LONE_SURROGATE.test(text)) return text;
  return JSON.stringify(document, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value));
}

/** The top-level fields that a projection wants beside `_id`; `undefined` where it names none, and all are wanted. */
export function wantedFields(projection: object = {}): readonly string[] | undefined {
  const on = Object.entries(projection).flatMap(([field, wanted]) => (wanted ? [field] : []));
  return on.length === 0 ? undefined : on.filter((field) => field !== '_id');
}

/** A document with the wanted top-level fields only. */
export function project<T extends Doc>(document: T, projection?: object): T {
  const wanted = wantedFields(projection);
  if (!wanted) return document;
  const fields = document as Doc & Fields;
  const picked: Fields = { _id: fields._id };
  for (const field of wanted) if (field in fields) picked[field] = fields[field];
  return picked as Fields as T;
}
