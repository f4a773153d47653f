import { Client, type ClientConfig, types as DEFAULTS } from 'pg';
import { type Row, type SourceDatabase, unreadable } from './database.ts';

/** How many rows one request fetches: of events of the largest size they are some 30 MB. */
const FETCHED = 500;

/** After how many seconds a server that does not answer is given up, unless the configuration says it. */
const CONNECT_TIMEOUT = 30;

const MS_PER_SECOND = 1_000;

const MAX_PORT = 65_535;

/** The greatest number of seconds that a timer of Node counts. */
const MAX_TIMEOUT = 2_000_000;

/** How many tables a message names. */
const NAMED = 5;

/** The number that PostgreSQL has for the type of whole numbers of 64 bits. */
const INT8 = 20;

/** All columns of the tables that a connection finds without naming their schema, and whether its role may read the table. */
const COLUMNS =
  "SELECT c.relname AS name, a.attname AS column, has_table_privilege(c.oid, 'SELECT') AS readable FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_attribute AS a ON a.attrelid = c.oid WHERE n.nspname = ANY (current_schemas(false)) AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped";

/** The names that libpq has for what `pg` calls otherwise; all others are passed on under their names. */
const RENAMED: Readonly<Record<string, keyof ClientConfig>> = {
  dbname: 'database',
  application_name: 'application_name',
};

/**
 * Opens a database for reading, at one moment, as a role that needs no right but to select.
 *
 * @param args the parameters of the connection as libpq has them
 * @throws Error with a message of one line when it cannot be read
 */
export async function openPostgres(args: Readonly<Record<string, unknown>>): Promise<SourceDatabase> {
  const { cp_min: _, cp_max: __, cp_reconnect: ___, connect_timeout = CONNECT_TIMEOUT, ...of } = args;
  const where = `${of.host ?? 'the local socket'}:${of.port ?? 5432}, database ${of.dbname ?? of.database}`;
  if (of.port !== undefined && !isCount(of.port, 1, MAX_PORT))
    throw new Error(`The port ${of.port} of the database is not a number from 1 to ${MAX_PORT}.`);
  if (!isCount(connect_timeout, 0, MAX_TIMEOUT))
    throw new Error(`The connect_timeout ${connect_timeout} of the database is not a number of seconds.`);
  const client = new Client({
    ...connectionOf(of),
    connectionTimeoutMillis: Number(connect_timeout) * MS_PER_SECOND,
    application_name: 'steward migrate',
    types: { getTypeParser },
  });
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // A long copy must not be ended by a limit that is meant for the homeserver.
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
    const tables = new Map<string, Set<string>>();
    const forbidden = new Set<string>();
    const { rows } = await client.query<{ name: string; column: string; readable: boolean }>(COLUMNS);
    for (const { name, column, readable } of rows) {
      // The homeserver makes these for work in the background, also after the right to read all tables was given.
      if (name.startsWith('_temp_')) continue;
      const columns = tables.get(name) ?? new Set();
      tables.set(name, columns.add(column));
      if (!readable) forbidden.add(name);
    }
    if (forbidden.size > 0)
      throw new Error(
        `the role ${client.user} may not read ${named([...forbidden])}: GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${client.user}`,
      );
    let cursors = 0;
    return {
      tables,
      no: 'FALSE',
      inOrder: (column) => `${column} COLLATE "C"`,
      async *rows(sql) {
        const cursor = `c${++cursors}`;
        const ask = (command: string) =>
          client.query<Row>(command).catch((error: Error) => {
            throw unreadable(`at ${where}`, sql, error);
          });
        await ask(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`);
        for (;;) {
          const fetched = await ask(`FETCH ${FETCHED} FROM ${cursor}`);
          yield* fetched.rows;
          if (fetched.rows.length < FETCHED) break;
        }
        await ask(`CLOSE ${cursor}`);
      },
      async users() {
        const found = await client.query<{ n: number }>(
          'SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
        return found.rows[0]?.n;
      },
      async bytes() {
        const found = await client.query<{ n: number }>('SELECT pg_database_size(current_database()) AS n');
        return Number(found.rows[0]?.n);
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw new Error(`The database at ${where} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** Whether a parameter is a whole number within bounds, as a number or as text. */
function isCount(value: unknown, least: number, most: number): boolean {
  return /^\d+$/.test(String(value)) && Number(value) >= least && Number(value) <= most;
}

/** Why no connection was made: that of a name with several addresses failed at each. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  const { message } = error as Error;
  return message === 'timeout expired' ? 'it does not answer' : message;
}

/** The first names of a list, and how many others there are. */
function named(names: readonly string[]): string {
  const others = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (others > 0 ? ` and ${others} other tables` : '');
}

function connectionOf(args: Readonly<Record<string, unknown>>): ClientConfig {
  const entries = Object.entries(args).map(([name, value]) => [RENAMED[name] ?? name, value] as const);
  const { host, sslmode, ...rest } = Object.fromEntries(entries) as Record<string, unknown>;
  // libpq connects to the local socket where no host is named, `pg` to localhost.
  const socket = host ?? '/var/run/postgresql';
  const ssl = sslmode === 'require' || sslmode === 'verify-ca' || sslmode === 'verify-full';
  return {
    ...rest,
    host: String(socket),
    ...(ssl ? { ssl: { rejectUnauthorized: sslmode !== 'require' } } : {}),
  };
}

/** Whole numbers of 64 bits are numbers where they are safe; the rest is read as PostgreSQL writes it, or as `pg` knows it. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  if (type === INT8)
    return (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text));
  return DEFAULTS.getTypeParser(type, format as 'text');
}
