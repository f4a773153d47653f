import { Readable } from 'node:stream';
import { refuse } from '@steward/errors';
import { CsvError, type InfoRecord, parse } from 'csv-parse';
import {
  HASH_ACTIONS,
  type HashAction,
  type HashValues,
  MAX_NOTE_LENGTH,
  MAX_SOURCE_LENGTH,
} from '../model/listed-hash.ts';
import { readLines } from './read-lines.ts';
import { toSha256 } from './sha256.ts';

/** The most lines of a file, empty ones and comments included. */
export const MAX_LINES = 100_000;

/** The largest file, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The longest line, in characters. */
const MAX_LINE_LENGTH = 4_096;

/** How many lines that cannot be imported are described. */
const MAX_PROBLEMS = 100;

/** The longest part of a message of the parser that is shown, in characters. */
const MAX_MESSAGE_LENGTH = 200;

/** The formats of files. */
export type HashFileFormat = 'text' | 'csv' | 'ndjson';

/** What a file contains. */
export interface HashFile {
  /** Each hash once, with the values of its last line. */
  readonly hashes: readonly HashValues[];
  /** The number of lines that cannot be imported. */
  readonly failed: number;
  /** The first of these lines. */
  readonly problems: readonly { readonly line: number; readonly problem: string }[];
}

/** A line with its fields, or with what is wrong with it. */
interface FileRecord {
  readonly line: number;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly problem?: string;
}

const NO_HASH = 'sha256 is not a hash of 64 hexadecimal digits';

/**
 * Reads a file of hashes to its end, so that a file that is refused changes nothing.
 *
 * @param defaults what holds where the file does not say it
 * @throws refuse.tooLarge for more than `MAX_LINES` lines or 32 MiB
 * @throws refuse.invalidParam for CSV that is malformed, or does not name the column sha256
 */
export async function readHashFile(
  pieces: AsyncIterable<Uint8Array>,
  format: HashFileFormat,
  defaults: Omit<HashValues, 'sha256'>,
): Promise<HashFile> {
  const found = new Map<string, HashValues>();
  const problems: { line: number; problem: string }[] = [];
  let failed = 0;
  const fail = (line: number, problem: string) => {
    failed++;
    if (problems.length < MAX_PROBLEMS) problems.push({ line, problem });
  };
  for await (const { line, fields, problem } of RECORDS_OF[format](limited(pieces))) {
    if (fields === undefined) {
      if (problem !== undefined) fail(line, problem);
      continue;
    }
    const values = valuesOf(fields, defaults);
    if (typeof values === 'string') fail(line, values);
    else found.set(values.sha256, values);
  }
  return { hashes: [...found.values()], failed, problems };
}

const RECORDS_OF: Readonly<
  Record<HashFileFormat, (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<FileRecord>>
> = { text: textRecords, csv: csvRecords, ndjson: ndjsonRecords };

async function* limited(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw refuse.tooLarge(`The file has more than ${MAX_BYTES} bytes`);
    yield piece;
  }
}

function requireFew(lines: number): void {
  if (lines > MAX_LINES) throw refuse.tooLarge(`The file has more than ${MAX_LINES} lines`);
}

/** A hash at the start of each line, as `sha256sum` writes it: with a backslash in front where it escapes the file name. */
async function* textRecords(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord> {
  for await (const { number: line, text } of readLines(pieces, MAX_LINE_LENGTH)) {
    requireFew(line);
    const trimmed = text?.trim();
    if (trimmed === undefined) yield { line, problem: 'the line is too long' };
    else if (trimmed !== '' && !trimmed.startsWith('#'))
      yield { line, fields: { sha256: trimmed.split(/\s/, 1)[0]?.replace(/^\\/, '') } };
  }
}

async function* ndjsonRecords(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord> {
  for await (const { number: line, text } of readLines(pieces, MAX_LINE_LENGTH)) {
    requireFew(line);
    if (text === undefined) yield { line, problem: 'the line is too long' };
    else if (text.trim() !== '') {
      const fields = parseObject(text);
      yield fields ? { line, fields } : { line, problem: 'the line is not a JSON object' };
    }
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

async function* csvRecords(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord> {
  const parser = parse({
    bom: true,
    columns: (names: string[]) => columnsOf(names),
    info: true,
    max_record_size: MAX_LINE_LENGTH,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  const source = Readable.from(pieces, { objectMode: false });
  source.once('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      readonly record: Readonly<Record<string, string>>;
      readonly info: InfoRecord;
    }>) {
      requireFew(info.lines);
      const { open_report, ...texts } = record;
      const flag = open_report === undefined ? undefined : FLAGS.get(open_report.toLowerCase());
      const said = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
      yield {
        line: info.lines,
        fields: { ...said, ...(open_report ? { open_report: flag ?? open_report } : {}) },
      };
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw refuse.invalidParam(`The file is not CSV: ${error.message.slice(0, MAX_MESSAGE_LENGTH)}`);
    throw error;
  } finally {
    source.destroy();
  }
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function columnsOf(names: readonly string[]): string[] {
  const columns = names.map((name) => name.trim().toLowerCase());
  if (!columns.includes('sha256'))
    throw refuse.invalidParam('The first line of the file does not name the column sha256');
  return columns;
}

/** Returns the values of a record, or what is wrong with it. */
function valuesOf(
  fields: Readonly<Record<string, unknown>>,
  defaults: Omit<HashValues, 'sha256'>,
): HashValues | string {
  const own = (name: string) => (Object.hasOwn(fields, name) ? (fields[name] ?? undefined) : undefined);
  const {
    sha256: text,
    action,
    openReport,
    source,
    note,
  } = {
    sha256: own('sha256'),
    action: own('action') ?? defaults.action,
    openReport: own('open_report') ?? defaults.open_report,
    source: own('source') ?? defaults.source,
    note: own('note') ?? defaults.note,
  };
  const sha256 = typeof text === 'string' ? toSha256(text.trim()) : undefined;
  if (sha256 === undefined) return NO_HASH;
  if (!HASH_ACTIONS.includes(action as HashAction)) return 'action is neither refuse nor quarantine';
  if (typeof openReport !== 'boolean') return 'open_report is neither true nor false';
  if (!isText(source, MAX_SOURCE_LENGTH))
    return `source is not a text of at most ${MAX_SOURCE_LENGTH} characters, or has NUL`;
  if (!isText(note, MAX_NOTE_LENGTH))
    return `note is not a text of at most ${MAX_NOTE_LENGTH} characters, or has NUL`;
  return {
    sha256,
    action: action as HashAction,
    open_report: openReport,
    source: said(source),
    note: said(note),
  };
}

function isText(value: unknown, maxLength: number): value is string | null {
  // No request could name a source with NUL.
  return (
    value === null || (typeof value === 'string' && [...value].length <= maxLength && !value.includes('\0'))
  );
}

/** Returns a text as it is stored: null for none, and without halves of characters. */
export function said(text: string | null | undefined): string | null {
  return text ? text.toWellFormed() : null;
}
