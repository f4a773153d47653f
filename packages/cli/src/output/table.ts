import stringWidth from 'string-width';
import { compactJson } from './json.ts';
import { visibleLine } from './visible.ts';

/** How a table fits where it is shown. */
export interface TableSpace {
  /** The columns of the terminal; undefined for a table of any width. */
  readonly width: number | undefined;
  /** Marks the head of the table. */
  readonly bold: (text: string) => string;
}

type Row = Readonly<Record<string, unknown>>;

const GAP = '  ';
const ELLIPSIS = '…';
/** The widest a column becomes on a terminal while others need the room. */
const WIDEST_COLUMN = 48;
/** The narrowest rest of a line that is worth another column. */
const NARROWEST_COLUMN = 8;
/** From here on a number of a time is one of milliseconds, below it one of seconds. */
const MILLISECONDS_FROM = 100_000_000_000;

interface Column {
  readonly name: string;
  readonly width: number;
}

/**
 * Returns what writes the rows of a table. Its columns and their widths follow from the first rows, so that further ones
 * can be written as they come.
 *
 * @param names of the columns, the most important first; without any, the fields of the first rows
 * @param sample rows that are not written, but for which there must be room, too
 */
export function tableOf(
  names: readonly string[],
  { width, bold }: TableSpace,
  sample: readonly Readonly<Record<string, unknown>>[] = [],
) {
  let columns: readonly Column[] | undefined;
  return (rows: readonly unknown[], title = 'value'): string => {
    if (rows.length === 0) return '';
    const records = rows.map((row) => (isRecord(row) ? row : { [title]: row }));
    const lines: string[] = [];
    if (columns === undefined) {
      const measured = [...sample, ...records];
      columns = layOut(columnNames(names, measured), measured, width);
      lines.push(
        bold(
          lineOf(
            columns,
            columns.map(({ name }) => name.toUpperCase()),
            width,
          ),
        ),
      );
    }
    for (const record of records)
      lines.push(
        lineOf(
          columns,
          columns.map(({ name }) => cellOf(name, record[name])),
          width,
        ),
      );
    return `${lines.join('\n')}\n`;
  };
}

/** Returns the fields of one object, one on each line, which a terminal breaks: no value is cut. */
export function fieldsOf(value: Row, bold: TableSpace['bold']): string {
  const fields = Object.entries(value);
  const widest = Math.max(0, ...fields.map(([name]) => stringWidth(name)));
  const lines = fields.map(([name, field]) => {
    const label = pad(visibleLine(name), widest);
    return `${bold(label)}${GAP}${cellOf(name, field)}`.trimEnd();
  });
  return lines.map((line) => `${line}\n`).join('');
}

function columnNames(names: readonly string[], rows: readonly Row[]): readonly string[] {
  const known = names.filter((name) => rows.some((row) => name in row));
  return known.length > 0 ? known : [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** On a terminal leaves out the columns that are empty, and those at the end that do not fit. */
function layOut(
  names: readonly string[],
  rows: readonly Row[],
  width: number | undefined,
): readonly Column[] {
  const wanted = names.map((name) => {
    const cells = rows.map((row) => stringWidth(cellOf(name, row[name])));
    const widest = Math.max(...cells, 0);
    return { name, isEmpty: widest === 0, width: Math.max(widest, stringWidth(name)) };
  });
  if (width === undefined) return wanted;
  const shown = wanted.filter(({ isEmpty }, index) => index === 0 || !isEmpty);
  const columns: Column[] = [];
  let left = width;
  for (const [index, column] of shown.entries()) {
    const gap = index === 0 ? 0 : GAP.length;
    const others = index < shown.length - 1;
    const needed = others ? Math.min(column.width, WIDEST_COLUMN) : column.width;
    if (left - gap < needed && index > 0 && left - gap < NARROWEST_COLUMN) break;
    const given = Math.min(needed, left - gap);
    columns.push({ name: column.name, width: given });
    left -= gap + given;
    if (given < needed) break;
  }
  return columns;
}

function lineOf(columns: readonly Column[], cells: readonly string[], width: number | undefined): string {
  return columns
    .map((column, index) => {
      const cell = cells[index] ?? '';
      return pad(width === undefined ? cell : cut(cell, column.width), column.width);
    })
    .join(GAP)
    .trimEnd();
}

/** Returns a value as text on one line. Times are shown as such: fields named `..._ts`. */
function cellOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return visibleLine(value);
  if (typeof value === 'number' && name.endsWith('_ts') && value > 0) return timeOf(value);
  return typeof value === 'object' ? visibleLine(compactJson(value)) : String(value);
}

function timeOf(value: number): string {
  const time = new Date(value < MILLISECONDS_FROM ? value * 1000 : value);
  return Number.isNaN(time.getTime()) ? String(value) : time.toISOString().replace(/\.\d+Z$/, 'Z');
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(width - stringWidth(text), 0));
}

/** Cuts text to a width in columns, between characters as readers see them. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return kept + ELLIPSIS;
}

function isRecord(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
