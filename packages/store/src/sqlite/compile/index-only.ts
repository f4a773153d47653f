import { concat, jsonPath, type Sql } from '../engine/sql.ts';
import type { IndexLayout } from '../layout/layout.ts';
import type { Access } from '../plan/access.ts';
import type { Query } from '../plan/query.ts';
import { predicate } from './predicate.ts';
import { type Cut, walk } from './walk.ts';

/**
 * The statement that reads the projected fields of a query from an index: one row with a JSON array of the values of each
 * field, which crosses to JavaScript much faster than a row for each document. A value that the column does not tell apart
 * is a text, the JSON of an array that holds the value of the document, or nothing where the field is missing. SQLite
 * reads a document for such a value only.
 */
export function fieldsInIndex(query: Query, access: Access, fields: readonly string[], cut: Cut): Sql {
  const { index, residual } = access;
  const yields = fields.map((field, i) => `${valueIn(index, field)} AS f${i}`);
  const filter = residual.length > 0 ? predicate(query.layout, residual, { many: false }) : undefined;
  const arrays = fields.map((_, i) => `json_group_array(f${i})`).join(', ');
  return concat(`SELECT ${arrays} FROM (`, walk(access, query.sort, cut, filter, yields), ')');
}

/** The text that marks a value as one that was read from its document. No other value begins with it. */
export const FROM_DOCUMENT = '[';

function valueIn({ keys }: IndexLayout, field: string): string {
  const column = keys.find(({ path }) => path === field)?.column ?? 'id';
  if (field === '_id') return column;
  // Texts that begin with [ or { can be arrays and objects; 0 and 1 can be booleans; JSON writes reals inexactly.
  const isString = `${column} >= '' AND ${column} < '[' OR ${column} >= '\\' AND ${column} < '{' OR ${column} >= '|'`;
  const isInteger = `${column} > 1 AND ${column} < '' AND typeof(${column}) = 'integer'`;
  const fromDocument = `'[' || ifnull(doc -> ${jsonPath([field])}, '') || ']'`;
  return `CASE WHEN ${isString} OR ${isInteger} THEN ${column} ELSE ${fromDocument} END`;
}
