/** A row of a table. Whole numbers that are not safe stay `bigint`. */
export type Row = Readonly<Record<string, unknown>>;

/** The database of a homeserver at one moment, which is only read. */
export interface SourceDatabase {
  /** The rows of a query, one after another. Several queries may be open at a time. */
  rows(sql: string): AsyncIterable<Row>;
  /** What sorts by a text column as `compareCodePoints` does. */
  inOrder(column: string): string;
  /** False, as SQL. */
  readonly no: string;
  /** The tables, by name, each with the names of its columns. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  /** Others that have the database open; undefined where that cannot be told. */
  users(): Promise<number | undefined>;
  /** Its size in bytes. */
  bytes(): Promise<number>;
  close(): Promise<void>;
}

/** What to say of a query that cannot be carried out: of which database and which table. */
export function unreadable(where: string, sql: string, error: Error): Error {
  const { table = 'unknown' } = /\bFROM (?<table>\w+)/.exec(sql)?.groups ?? {};
  return new Error(`The database ${where} cannot be read at the table ${table}: ${error.message}.`, {
    cause: error,
  });
}

/** A text as SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The only row of a query. */
export async function oneRow(database: SourceDatabase, sql: string): Promise<Row> {
  for await (const row of database.rows(sql)) return row;
  return {};
}

/** How many rows a query of `count(*)` counts. */
export async function countOf(database: SourceDatabase, from: string): Promise<number> {
  const { n } = await oneRow(database, `SELECT count(*) AS n FROM ${from}`);
  return Number(n);
}
