import type { Doc } from '../../port/declaration.ts';
import { writeJson } from '../engine/json.ts';
import type { Fields } from './apply-update.ts';

/** The text of a document, see `writeJson`. */
export function writeDocument(document: Doc | Fields): string {
  if (typeof document._id !== 'string') throw new TypeError('A document needs an _id, which is a string');
  return writeJson(document);
}
