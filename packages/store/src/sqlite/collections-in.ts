import type { DatabaseSync } from 'node:sqlite';

/** The collections in a file: the tables of documents, which have a column of this name; those that are derived from them have none. */
export function collectionsIn(database: DatabaseSync): readonly string[] {
  return database
    .prepare(
      `SELECT tables.name FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND columns.name = 'doc' ORDER BY tables.name`,
    )
    .all()
    .map(({ name }) => String(name));
}
