import stringWidth from 'string-width';
import { usageFailure } from '../io/exit.ts';
import { compactJson } from './json.ts';
import { relativeTime } from './relative-time.ts';
import { visibleLine } from './visible.ts';

/** How a table fits where it is shown. */
export interface TableSpace {
  /** The columns of the terminal; undefined for a table of any width. */
  readonly width: number | undefined;
  /** Marks the head of the table. */
  readonly bold: (text: string) => string;
  /** The present time, in milliseconds since the Unix epoch, for a table that says how long ago times are; otherwise they are shown as such. */
  readonly now?: number;
  /** The fields that rows can have, where the caller chose the columns: a name that is not among them is refused. */
  readonly known?: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

const GAP = '  ';
const ELLIPSIS = '…';
/** The widest a column becomes on a terminal while others need the room. */
const WIDEST_COLUMN = 56;
/** The narrowest rest of a line that is worth another column. */
const NARROWEST_COLUMN = 8;
/** The widest distance in time. */
const WIDEST_DISTANCE = '364d ago'.length;
/** The fields with times: those named so, or with this ending. */
const TIME = /(?:^|_)ts$|^(?:expiry_time|timestamp_ms|time)$/;
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
  { width, bold, now, known }: TableSpace,
  sample: readonly Readonly<Record<string, unknown>>[] = [],
) {
  let columns: readonly Column[] | undefined;
  const cell = (name: string, value: unknown) => cellOf(name, value, now);
  return (rows: readonly unknown[], title = 'value'): string => {
    if (rows.length === 0) return '';
    const records = rows.map((row) => (isRecord(row) ? row : { [title]: row }));
    const lines: string[] = [];
    if (columns === undefined) {
      const measured = [...sample, ...records];
      if (known !== undefined) requireColumns(names, [...known, ...measured.flatMap(Object.keys)]);
      const shown = known === undefined ? columnNames(names, measured) : names;
      columns = layOut(shown, measured, { width, cell, keepsEmpty: known !== undefined, now });
      lines.push(
        bold(
          lineOf(
            columns,
            columns.map(({ name }) => headOf(name, now)),
            width,
          ),
        ),
      );
    }
    for (const record of records)
      lines.push(
        lineOf(
          columns,
          columns.map(({ name }) => cell(name, record[name])),
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

/** @throws CommandFailure if a name is not among those of the fields */
export function requireColumns(names: readonly string[], fields: readonly string[]): void {
  const unknown = names.find((name) => !fields.includes(name));
  if (unknown !== undefined)
    throw usageFailure(`there is no column ${unknown}; there are ${[...new Set(fields)].join(', ')}`);
}

/** A table for people has heads for people. */
function headOf(name: string, now: number | undefined): string {
  if (now === undefined) return name.toUpperCase();
  return name === 'ts'
    ? 'TIME'
    : name
        .replace(/(?<=.)_(?:ts|ms)$/, '')
        .replaceAll('_', ' ')
        .toUpperCase();
}

function columnNames(names: readonly string[], rows: readonly Row[]): readonly string[] {
  const known = names.filter((name) => rows.some((row) => name in row));
  return known.length > 0 ? known : [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** On a terminal leaves out the columns that are empty, and those at the end that do not fit. */
function layOut(
  names: readonly string[],
  rows: readonly Row[],
  {
    width,
    cell,
    keepsEmpty,
    now,
  }: {
    readonly width: number | undefined;
    readonly cell: (name: string, value: unknown) => string;
    readonly keepsEmpty: boolean;
    readonly now: number | undefined;
  },
): readonly Column[] {
  const wanted = names.map((name) => {
    const widest = Math.max(0, ...rows.map((row) => stringWidth(cell(name, row[name]))));
    // Later rows may be of another time.
    const least = now !== undefined && TIME.test(name) && widest > 0 ? WIDEST_DISTANCE : 0;
    return {
      name,
      isEmpty: widest === 0,
      width: Math.max(widest, least, stringWidth(headOf(name, now))),
    };
  });
  if (width === undefined) return wanted;
  const shown = wanted.filter(({ isEmpty }, index) => index === 0 || !isEmpty || keepsEmpty);
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

/** Returns a value as text on one line. Times are shown as such, or as their distance to the present. */
function cellOf(name: string, value: unknown, now?: number): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return visibleLine(value);
  if (typeof value === 'number' && TIME.test(name) && value > 0) {
    const ms = value < MILLISECONDS_FROM ? value * 1000 : value;
    return now === undefined ? timeOf(value, ms) : relativeTime(ms, now);
  }
  return typeof value === 'object' ? visibleLine(compactJson(value)) : String(value);
}

function timeOf(value: number, ms: number): string {
  const time = new Date(ms);
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
