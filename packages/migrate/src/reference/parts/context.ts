import type { Found, Part } from '../../part.ts';
import { countOf, literal, type Row, type SourceDatabase } from '../source/database.ts';
import { grouped } from '../source/grouped.ts';

/** What parts are made of. */
export interface Context {
  readonly database: SourceDatabase;
  readonly serverName: string;
  /** The name of the pepper in the settings of the new server; undefined for none. */
  readonly pepper: string | undefined;
  /** Whether the new server stores passwords (`passwords.localdb_enabled`). */
  readonly storesPasswords: boolean;
  /** The account in whose name the old server sends notices; undefined for none. */
  readonly noticeUser: string | undefined;
  readonly mediaFolder: string;
  /** The time of the copy, in milliseconds. */
  readonly now: number;
  /** The position that is the first one on the new server. */
  readonly firstPosition: number;
}

/** Declares a part that makes a record of every row of a query. */
export function rowsPart(
  { database }: Context,
  part: {
    readonly kind: string;
    readonly table: string;
    /** The columns, joins and conditions behind `SELECT`. */
    readonly query: string;
    /** What is counted; the table unless given. */
    readonly counted?: string;
    readonly keyOf: (row: Row) => string;
    /** @throws Error that says why the row has no record */
    readonly read: (row: Row) => Omit<Extract<Found, { record: unknown }>, 'key'> | undefined;
  },
): Part {
  const { kind, table, query, counted = table, keyOf, read } = part;
  return {
    kind,
    table,
    count: () => (database.tables.has(table) ? countOf(database, counted) : Promise.resolve(0)),
    async *read() {
      if (!database.tables.has(table)) return;
      for await (const row of database.rows(`SELECT ${query}`)) {
        const found = foundOf(keyOf(row), () => read(row));
        if (found) yield found;
      }
    },
  };
}

/** Declares a part that makes a record of every row of a query and of the rows of others that belong to it. */
export function groupsPart<N extends string>(
  { database }: Context,
  part: {
    readonly kind: string;
    readonly table: string;
    /** A query whose column `key` sorts it. */
    readonly query: string;
    /** The same of what belongs to the rows; with the table that it needs. */
    readonly others: Readonly<Record<N, readonly [table: string, query: string]>>;
    readonly counted?: string;
    /** Of which of the others rows without one that they belong to are refused; another part has the rest. */
    readonly refusesOrphans?: readonly NoInfer<N>[];
    readonly read: (
      row: Row,
      of: Readonly<Record<N, readonly Row[]>>,
    ) => Omit<Extract<Found, { record: unknown }>, 'key'> | undefined;
  },
): Part {
  const { kind, table, query, others, counted = table, refusesOrphans = [], read } = part;
  return {
    kind,
    table,
    count: () => (database.tables.has(table) ? countOf(database, counted) : Promise.resolve(0)),
    async *read() {
      if (!database.tables.has(table)) return;
      const open = Object.entries<readonly [string, string]>(others).map(([name, [of, sql]]) => [
        name,
        database.tables.has(of) ? database.rows(`SELECT ${sql}`) : nothing(),
      ]);
      const groups = grouped(
        database.rows(`SELECT ${query}`),
        Object.fromEntries(open) as Record<N, AsyncIterable<Row>>,
      );
      for await (const group of groups) {
        if ('orphan' in group) {
          if (refusesOrphans.includes(group.orphan))
            yield {
              key: `${others[group.orphan][0]} ${group.key}`,
              problem: `${table} has no row of this key`,
            };
          continue;
        }
        const found = foundOf(group.key, () => read(group.row, group.of));
        if (found) yield found;
      }
    },
  };
}

async function* nothing(): AsyncGenerator<Row> {}

function foundOf(
  key: string,
  read: () => Omit<Extract<Found, { record: unknown }>, 'key'> | undefined,
): Found | undefined {
  try {
    const carried = read();
    return carried && { key, ...carried };
  } catch (error) {
    return { key, problem: (error as Error).message };
  }
}

/** The id of the user of a row of a table in which older rows have the localpart alone, as SQL. */
export function fullUserId({ serverName }: Context, full: string, localpart: string): string {
  return `COALESCE(${full}, '@' || ${localpart} || ${literal(`:${serverName}`)})`;
}

/** Whether a token has not ended, as SQL. */
export function isValidAt(now: number, end: string): string {
  return `(${end} IS NULL OR ${end} > ${now})`;
}

/** The first of the rows that belong to another. */
export function first(rows: readonly Row[]): Row {
  return rows[0] ?? {};
}
