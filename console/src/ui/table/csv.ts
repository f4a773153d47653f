/** What spreadsheets would take for a formula, also in the full-width forms that some of them read as ASCII. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/**
 * User ids, and ids of letters, digits, `-` and `_`: nothing in them calls a function or another program, so that they need no
 * apostrophe, with which they would be other ids.
 */
const ID = /^(?:@[\w.=/+-]*:[\w.:[\]-]+|-[\w-]*[A-Za-z_][\w-]*)$/;
/** The separators of all languages: spreadsheets split lines at that of their user's. */
const QUOTED = /[",;\t\r\n]/;

/**
 * Writes the rows of a table as CSV (RFC 4180). Texts that spreadsheets would execute begin with an apostrophe. Ids stay as they are,
 * so that they can be imported again.
 */
export function csvOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  if (typeof value !== 'string' || !FORMULA.test(text)) return QUOTED.test(text) ? quote(text) : text;
  return quote(ID.test(text) ? text : `'${text}`);
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
