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
