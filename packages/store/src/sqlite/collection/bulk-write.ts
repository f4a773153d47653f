import type { BulkOperation, BulkOptions, BulkResult, WriteOptions } from '../../port/collection.ts';
import type { Doc } from '../../port/declaration.ts';
import { Conflict } from '../../port/errors.ts';
import type { Filter } from '../../port/filter.ts';
import type { Connection } from '../engine/connection.ts';
import type { Found } from '../execute/load.ts';
import type { Layout } from '../layout/layout.ts';
import type { Query } from '../plan/query.ts';
import { add, newTotal, resultOf } from './change.ts';
import { LONG, type QueryWriter } from './query-writer.ts';
import type { TableWriter } from './table-writer.ts';
import { translateError } from './translate-error.ts';
import { writeAlong } from './write-along.ts';

/** The most operations of one bulk write that share a transaction, so that it does not block other writes for long. */
const MAX_OPERATIONS_PER_TRANSACTION = 1_000;

/** An operation of a bulk write. */
interface Operation {
  /** Runs inside an open transaction; `LONG` when it takes too long to find the documents. */
  readonly now: () => Partial<BulkResult> | typeof LONG;
  /** Runs in transactions of its own. */
  readonly later: () => Promise<Partial<BulkResult>>;
}

/** The parts of a collection that a bulk write uses. */
export interface BulkContext<T extends Doc> {
  readonly connection: Connection;
  readonly layout: Layout;
  readonly table: TableWriter<T>;
  readonly writer: QueryWriter;
  /** Prepares the query for the first document that a filter matches. */
  readonly prepareFirst: (filter: Filter<T>) => Query;
  /** Runs an operation on all documents that match. */
  readonly runMany: (
    operation: Extract<BulkOperation<T>, { updateMany: unknown } | { deleteMany: unknown }>,
    options: WriteOptions,
  ) => Promise<Partial<BulkResult>>;
}

/**
 * Runs the operations of a bulk write.
 *
 * @throws Conflict with the total, after the operations that could be done
 */
export async function bulkWrite<T extends Doc>(
  context: BulkContext<T>,
  operations: readonly BulkOperation<T>[],
  options: BulkOptions,
): Promise<BulkResult> {
  const { durable = true } = options;
  // Prepared outside the transaction, so that an invalid operation stops the bulk write before it begins.
  const prepared = operations.map((operation) => prepareOperation(context, operation, { durable }));
  const { total, errors } = await runOperations(prepared, context, options);
  if (errors.length > 0) {
    const error = translateError(context.layout, errors[0]);
    throw error instanceof Conflict ? new Conflict(error.index, { ...total, cause: error }) : error;
  }
  return total;
}

/** Prepares an operation, outside a transaction. */
function prepareOperation<T extends Doc>(
  { connection, table, writer, prepareFirst, runMany }: BulkContext<T>,
  operation: BulkOperation<T>,
  options: WriteOptions,
): Operation {
  if ('insertOne' in operation) {
    const { document, along = [] } = operation.insertOne;
    const prepared = table.prepare(document);
    const now = () => {
      writeAlong(connection, along, () => table.insert(prepared));
      return { insertedCount: 1 };
    };
    return { now, later: () => writer.transact(now, options) };
  }
  if ('updateOne' in operation) {
    const { filter, update, upsert = false, along = [] } = operation.updateOne;
    const query = prepareFirst(filter);
    const write = (found: Found | undefined) =>
      resultOf(
        found || upsert
          ? writeAlong(connection, along, () => table.updateOrUpsert(found, filter, update, { upsert }))
          : undefined,
      );
    return {
      now: () => writer.writeFirstNow(query, write),
      later: () => writer.writeFirst(query, write, options),
    };
  }
  if ('deleteOne' in operation) {
    const { filter } = operation.deleteOne;
    const query = prepareFirst(filter);
    const write = (found: Found | undefined) => ({ deletedCount: found ? table.delete(found.n) : 0 });
    return {
      now: () => writer.writeFirstNow(query, write),
      later: () => writer.writeFirst(query, write, options),
    };
  }
  return { now: () => LONG, later: () => runMany(operation, options) };
}

/**
 * Runs prepared operations in order, until the first error if `ordered`.
 *
 * @returns what they did and what they threw
 */
async function runOperations(
  operations: readonly Operation[],
  { writer, connection }: Pick<BulkContext<Doc>, 'writer' | 'connection'>,
  options: BulkOptions,
): Promise<{ readonly total: BulkResult; readonly errors: readonly unknown[] }> {
  const { ordered = true } = options;
  const total = newTotal();
  const errors: unknown[] = [];
  const attempt = <R>(work: () => R): R | undefined => {
    try {
      return work();
    } catch (error) {
      if (!connection.inTransaction) throw error;
      errors.push(error);
      return undefined;
    }
  };
  for (let next = 0; next < operations.length; ) {
    const results = await writer.transact(() => {
      const done: (Partial<BulkResult> | typeof LONG)[] = [];
      for (const operation of operations.slice(next, next + MAX_OPERATIONS_PER_TRANSACTION)) {
        const result = attempt(operation.now) ?? {};
        done.push(result);
        if (result === LONG || (ordered && errors.length > 0)) break;
      }
      return done;
    }, options);
    for (const result of results) {
      const operation = operations[next++];
      add(
        total,
        result === LONG
          ? ((await operation?.later().catch((error) => void errors.push(error))) ?? {})
          : result,
      );
    }
    if (ordered && errors.length > 0) break;
  }
  return { total, errors };
}
