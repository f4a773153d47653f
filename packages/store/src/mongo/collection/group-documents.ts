import type { Collection, Db, Document } from 'mongodb';
import type { Groups, Totals } from '../../port/collection.ts';
import { BATCH, MAX_ARRAY, READ_LIMIT_MS } from '../client/limits.ts';
import type { Stored } from './engine.ts';
import { runAggregate } from './run-read.ts';

/** How documents are grouped, and which of the groups are returned. */
export interface Grouping {
  readonly by: string;
  readonly sum: string;
  readonly order: 'value' | 'count' | 'sum';
  readonly direction: 1 | -1;
  readonly skip?: number;
  readonly limit?: number;
}

/**
 * Groups the documents that match a filter in the server's form.
 *
 * @param run runs an operation of the driver
 */
export async function groupDocuments(
  database: Db,
  collection: Collection<Stored>,
  filter: Document,
  { by, sum, order, direction, skip = 0, limit = 0 }: Grouping,
  run: <R>(operation: () => Promise<R>) => Promise<R>,
): Promise<Groups> {
  const grouped: Document[] = [
    { $match: { $and: [filter, { [by]: { $ne: null } }] } },
    { $group: { _id: `$${by}`, count: { $sum: 1 }, sum: { $sum: `$${sum}` } } },
  ];
  const page: Document[] = [
    { $sort: order === 'value' ? { _id: direction } : { [order]: direction, _id: 1 } },
    ...(skip > 0 ? [{ $skip: skip }] : []),
    ...(limit > 0 ? [{ $limit: limit }] : []),
  ];
  const aggregate = (stages: readonly Document[]) =>
    run(async () => {
      const pipeline = [...grouped, ...stages];
      const limited = { maxTimeMS: READ_LIMIT_MS };
      const found = await runAggregate<Document>(database, collection, { pipeline, ...limited }, MAX_ARRAY);
      return found ?? collection.aggregate(pipeline, { ...limited, batchSize: BATCH }).toArray();
    });
  const found = await aggregate(page);
  const [counted] = await aggregate([{ $count: 'total' }]);
  return {
    groups: found.map((group) => ({ value: group._id, count: group.count, sum: group.sum })),
    total: counted?.total ?? 0,
  };
}

/** Counts the documents that match a filter in the server's form, and sums the number that they have at a path. */
export async function sumDocuments(
  database: Db,
  collection: Collection<Stored>,
  filter: Document,
  path: string,
): Promise<Totals> {
  const pipeline = [
    { $match: filter },
    { $group: { _id: null, count: { $sum: 1 }, sum: { $sum: `$${path}` } } },
  ];
  const limited = { maxTimeMS: READ_LIMIT_MS };
  const found = await runAggregate<Document>(database, collection, { pipeline, ...limited }, 1);
  const [{ count = 0, sum = 0 } = {}] = found ?? [];
  return { count: Number(count), sum: Number(sum) };
}

/** The number of documents per string or boolean at a path, counted from the index `hint`. */
export async function countPerValue(
  collection: Collection<Stored>,
  path: string,
  hint: string,
): Promise<ReadonlyMap<string, number>> {
  const groups = await collection
    .aggregate([{ $group: { _id: `$${path}`, total: { $sum: 1 } } }], { hint, maxTimeMS: READ_LIMIT_MS })
    .toArray();
  const isCounted = (value: unknown) => typeof value === 'string' || typeof value === 'boolean';
  return new Map(groups.flatMap(({ _id, total }) => (isCounted(_id) ? [[String(_id), total]] : [])));
}
