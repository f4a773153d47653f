import type { Groups } from '../../port/collection.ts';
import { type Grouping, groupStatement } from '../compile/group-statement.ts';
import type { Reader } from '../engine/reader.ts';
import type { Query } from '../plan/query.ts';

/** Groups the documents that match a query, on the reader's thread. */
export async function groupsOf(reader: Reader, query: Query, grouping: Grouping): Promise<Groups> {
  const rows = await reader.all(groupStatement(query, grouping));
  const groups = rows.flatMap(([, value, count, sum]) =>
    value === null ? [] : [{ value: String(value), count: Number(count), sum: Number(sum) }],
  );
  return { groups, total: Number(rows[0]?.[0]) };
}
