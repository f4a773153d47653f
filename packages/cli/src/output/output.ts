import { styleText } from 'node:util';
import { usageFailure } from '../io/exit.ts';
import { type TextSink, write } from '../io/io.ts';
import { type JqFilter, loadJq } from './jq.ts';
import { compactJson, prettyJson } from './json.ts';
import { fieldsOf, requireColumns, tableOf } from './table.ts';
import { visible } from './visible.ts';
import { loadYaml } from './yaml.ts';

/** How answers are written. */
export type Format = 'table' | 'json' | 'yaml' | 'ndjson';

/** What `--output` may be: a wide table has all columns, and times as they are. */
export const OUTPUT_FORMATS = ['table', 'wide', 'json', 'yaml', 'ndjson'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** How a command writes its results. */
export interface OutputOptions {
  readonly format: Format;
  /** Whether a table has all columns of a list. */
  readonly isWide?: boolean;
  /** The columns of tables, in place of those of the command. */
  readonly columns?: readonly string[] | undefined;
  /** In milliseconds since the Unix epoch, for tables. */
  readonly now: number;
  /** A filter of jq over each answer, in place of the format. */
  readonly jq?: string | undefined;
  readonly isColoured: boolean;
}

/** Where the rows of an answer are, and what continues it. */
export interface RowsOf {
  /** The field with the rows; empty if the answer itself is the array. */
  readonly items: string;
  /** The fields that a wide table shows. */
  readonly columns: readonly string[];
  /** The fields that a table shows unless it is wide; then it has names and times for people. `columns` when unset. */
  readonly narrow?: readonly string[] | undefined;
  /** What the rows are, in the plural: a table without any says so. */
  readonly noun?: string | undefined;
  /** How many rows to write at most. */
  readonly limit?: number | undefined;
  /** Rows that are not written, but for which a table must have room, too. */
  readonly sample?: readonly Fields[] | undefined;
}

/** What a command writes to the standard output. */
export interface Output {
  readonly format: Format;
  /** Writes an answer that is not a list. */
  answer(value: unknown): Promise<void>;
  /** Writes a single page of a list as the server answered it. */
  page(page: unknown, rows: RowsOf): Promise<void>;
  /**
   * Writes the pages of a list as one list while they come, so that any number of rows fits into memory.
   *
   * @returns how many rows are written
   * @throws what the pages throw; what is written so far is then complete in ndjson and in a table
   */
  pages(pages: AsyncIterable<unknown>, rows: RowsOf): Promise<number>;
  /** Writes rows of a program's own, such as the results of a bulk action, while they come. A filter runs on each. */
  rows(
    rows: AsyncIterable<Fields>,
    columns: readonly string[],
    /** The widest rows to expect: a table has room for them from its first row on. */
    sample?: readonly Fields[],
    /** As in `RowsOf`. */
    noun?: string,
  ): Promise<void>;
  /** Writes bytes of the server as they are; on a terminal as text, without what it would obey. */
  bytes(chunks: AsyncIterable<Uint8Array>): Promise<void>;
}

/** The fields with which the API continues lists, and which a list of all pages has not. */
const POSITIONS: ReadonlySet<string> = new Set([
  'next_token',
  'next_batch',
  'prev_batch',
  'next_after',
  'start',
  'end',
  'offset',
]);

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the output of a command.
 *
 * @throws CommandFailure if the filter has an error
 */
export async function openOutput(
  sink: TextSink,
  { format, jq, isColoured, isWide = false, columns: wanted, now }: OutputOptions,
): Promise<Output> {
  const filter: JqFilter | undefined = jq === undefined ? undefined : await loadJq(jq, sink.isTerminal);
  const bold = (text: string) => (isColoured ? styleText('bold', text, { validateStream: false }) : text);
  const width = sink.isTerminal ? sink.columns : undefined;
  const tableFor = ({ columns, narrow, sample }: Pick<RowsOf, 'columns' | 'narrow' | 'sample'>) => {
    // What was asked for is shown whole, and broken by the terminal.
    const room = isWide || wanted !== undefined ? undefined : width;
    const space = { width: room, bold, ...(narrow !== undefined && !isWide && { now }) };
    if (wanted !== undefined) return tableOf(wanted, { ...space, known: columns }, sample);
    return tableOf(isWide ? columns : (narrow ?? columns), space, sample);
  };
  const noRows = ({ noun }: Pick<RowsOf, 'noun'>) => (noun === undefined ? '' : `0 ${noun}\n`);
  const put = (text: string) => (text === '' ? Promise.resolve() : write(sink, text));
  const putFiltered = async (run: JqFilter, value: unknown) => {
    const text = await run(value);
    await put(sink.isTerminal ? visible(text) : text);
  };

  async function answer(value: unknown): Promise<void> {
    if (filter !== undefined) return putFiltered(filter, value);
    if (format === 'yaml') return put((await loadYaml())(value));
    if (format === 'ndjson') return put(`${compactJson(value)}\n`);
    if (format === 'json' || !isFields(value)) return put(`${prettyJson(value)}\n`);
    return put(fieldsOf(wanted === undefined ? value : pick(value, wanted), bold));
  }

  async function page(value: unknown, described: RowsOf): Promise<void> {
    const { items } = described;
    if (filter !== undefined || format === 'json' || format === 'yaml') return answer(value);
    const rows = rowsIn(value, items);
    if (format === 'ndjson') return put(rows.map((row) => `${compactJson(row)}\n`).join(''));
    return put(rows.length === 0 ? noRows(described) : tableFor(described)(rows, items));
  }

  async function pages(source: AsyncIterable<unknown>, described: RowsOf): Promise<number> {
    const { items, limit } = described;
    const limited = firstRows(source, items, limit);
    const writer =
      filter !== undefined
        ? { page: (value: unknown) => putFiltered(filter, value), end: async () => undefined }
        : await documentWriter(format, described);
    let count = 0;
    for await (const value of limited) {
      await writer.page(value);
      count += rowsIn(value, items).length;
    }
    await writer.end();
    if (count === 0 && filter === undefined && format === 'table') await put(noRows(described));
    return count;
  }

  async function documentWriter(kind: Format, described: RowsOf) {
    const { items } = described;
    if (kind === 'json') return jsonWriter(items, put);
    if (kind === 'yaml') return yamlWriter(items, await loadYaml(), put);
    const table = tableFor(described);
    const write = (rows: readonly unknown[]) =>
      kind === 'ndjson' ? rows.map((row) => `${compactJson(row)}\n`).join('') : table(rows, items);
    return {
      page: (value: unknown) => put(write(rowsIn(value, items))),
      end: async () => undefined,
    };
  }

  return {
    format,
    answer,
    page,
    pages,
    async rows(source, columns, sample, noun) {
      if (filter === undefined) await pages(inArrays(source), { items: '', columns, sample, noun });
      else for await (const row of source) await putFiltered(filter, row);
    },
    async bytes(chunks) {
      if (wanted !== undefined) throw usageFailure('--columns is for tables, not for bytes');
      const decoder = new TextDecoder();
      for await (const chunk of chunks)
        await write(sink, sink.isTerminal ? visible(decoder.decode(chunk, { stream: true })) : chunk);
    },
  };
}

/** Writes the pages as one document of JSON: the fields of the first page, with the rows of all. */
function jsonWriter(items: string, put: (text: string) => Promise<void>) {
  let isFirstPage = true;
  let isFirstRow = true;
  const indent = items === '' ? '  ' : '    ';
  return {
    async page(value: unknown) {
      if (isFirstPage) {
        const head = otherFields(value, items).map(
          ([name, field]) => `  ${indented(prettyJson(name))}: ${indented(prettyJson(field))},\n`,
        );
        await put(items === '' ? '[' : `{\n${head.join('')}  ${prettyJson(items)}: [`);
        isFirstPage = false;
      }
      const rows = rowsIn(value, items).map((row) => {
        const text = `${isFirstRow ? '' : ','}\n${indent}${prettyJson(row).replaceAll('\n', `\n${indent}`)}`;
        isFirstRow = false;
        return text;
      });
      await put(rows.join(''));
    },
    async end() {
      if (isFirstPage) return;
      const close = isFirstRow ? ']' : `\n${indent.slice(2)}]`;
      await put(items === '' ? `${close}\n` : `${close}\n}\n`);
    },
  };
}

function indented(json: string): string {
  return json.replaceAll('\n', '\n  ');
}

function yamlWriter(items: string, yaml: (value: unknown) => string, put: (text: string) => Promise<void>) {
  let isFirstPage = true;
  let isFirstRow = true;
  return {
    async page(value: unknown) {
      if (isFirstPage && items !== '')
        await put(
          otherFields(value, items)
            .map(([name, field]) => yaml({ [name]: field }))
            .join(''),
        );
      isFirstPage = false;
      const rows = rowsIn(value, items);
      if (rows.length === 0) return;
      const head = isFirstRow && items !== '' ? `${items}:\n` : '';
      isFirstRow = false;
      await put(head + yaml(rows));
    },
    async end() {
      if (isFirstRow && !isFirstPage) await put(items === '' ? '[]\n' : `${items}: []\n`);
    },
  };
}

function otherFields(value: unknown, items: string): [string, unknown][] {
  if (!isFields(value)) return [];
  return Object.entries(value).filter(([name]) => name !== items && !POSITIONS.has(name));
}

/** Yields the pages until they have so many rows; the last one has those that are left. */
async function* firstRows(
  pages: AsyncIterable<unknown>,
  items: string,
  limit: number | undefined,
): AsyncGenerator<unknown> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const page of pages) {
    const rows = rowsIn(page, items);
    if (rows.length <= left) yield page;
    else yield items === '' ? rows.slice(0, left) : { ...(page as Fields), [items]: rows.slice(0, left) };
    left -= rows.length;
    if (left <= 0) return;
  }
}

function rowsIn(value: unknown, items: string): readonly unknown[] {
  const rows = items === '' ? value : isFields(value) ? value[items] : undefined;
  return Array.isArray(rows) ? rows : [];
}

/** Begins with no rows, because a document without any is an empty list. */
async function* inArrays(rows: AsyncIterable<unknown>): AsyncGenerator<readonly unknown[]> {
  yield [];
  for await (const row of rows) yield [row];
}

/** @throws CommandFailure if the answer has no such field */
function pick(value: Fields, names: readonly string[]): Fields {
  requireColumns(names, Object.keys(value));
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
